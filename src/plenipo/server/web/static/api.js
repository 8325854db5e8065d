/* Requests to the server. A refusal is an error with the server's message. */
import { translateSentence, t } from './i18n.js';

export class Refused extends Error {
  constructor(status, error) {
    super(translateSentence({ ...error, text: error.message }));
    this.status = status;
    this.code = error.code ?? '';
    this.piece = error.piece ?? '';
    this.suggestions = error.suggestions ?? [];
  }
}

async function readRefusal(answer) {
  let error = null;
  try {
    error = (await answer.json()).error;
  } catch {
    error = null;
  }
  return new Refused(answer.status, error ?? { message: t('Server error {status}', { status: String(answer.status) }) });
}

/** Tell whether an answer came from the server now: not from the service worker, nor perhaps from the browser's cache. */
const isFresh = ({ headers }) => !headers.has('x-kept') && !/max-age=[1-9]/.test(headers.get('cache-control') ?? '');

async function fetchChecked(path, init) {
  let answer;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refused(0, { message: t('Cannot reach the server. Nothing was lost; try again.'), code: 'offline' });
  }
  const said = isFresh(answer) ? Date.parse(answer.headers.get('date') ?? '') : NaN;
  if (!Number.isNaN(said)) clockOffset = said + 500 - Date.now();
  if (!answer.ok) throw await readRefusal(answer);
  return answer;
}

let clockOffset = 0;

/** Return the server's time, to a second, from the dates of its answers; a difference of up to 1.5 seconds from the
    local clock is ignored. */
export const serverTime = () => Date.now() + (Math.abs(clockOffset) > 1500 ? clockOffset : 0);

/** Request JSON; `body` is sent as JSON. Throws `Refused`. */
export async function requestJson(path, { method = 'GET', body } = {}) {
  const init = { method, headers: {} };
  if (body !== undefined) {
    init.headers['Content-Type'] = 'application/json';
    init.body = typeof body === 'string' ? body : JSON.stringify(body);
  }
  const answer = await fetchChecked(path, init);
  return answer.status === 204 ? null : answer.json();
}

/** Request text, such as a picture. Throws `Refused`. */
export const requestText = async (path) => (await fetchChecked(path)).text();

/** Send the fields of a form, and return the answer as text. Throws `Refused`. */
export const postForm = async (path, fields) => (await fetchChecked(path, { method: 'POST', body: new URLSearchParams(fields) })).text();

/** Add a query to a path; empty values are left out. */
export function withQuery(base, question = {}) {
  const parts = Object.entries(question).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return parts.length ? `${base}?${new URLSearchParams(parts)}` : base;
}
