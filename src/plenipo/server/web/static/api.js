/* Requests to the server. A refusal is an error with the server's message. */
import { sentence, t } from './i18n.js';

export class Refused extends Error {
  constructor(status, error) {
    super(sentence({ ...error, text: error.message }));
    this.status = status;
    this.code = error.code ?? '';
    this.piece = error.piece ?? '';
    this.suggestions = error.suggestions ?? [];
  }
}

async function refusal(answer) {
  let error = null;
  try {
    error = (await answer.json()).error;
  } catch {
    error = null;
  }
  return new Refused(answer.status, error ?? { message: t('Server error {status}', { status: String(answer.status) }) });
}

async function fetched(path, init) {
  let answer;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refused(0, { message: t('Cannot reach the server. Nothing was lost; try again.'), code: 'offline' });
  }
  const said = Date.parse(answer.headers.get('date') ?? '');
  if (!Number.isNaN(said)) ahead = said + 500 - Date.now();
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

let ahead = 0;

/** Return the server's time, to a second, from the dates of its answers; a difference of up to 1.5 seconds from the
    local clock is ignored. */
export const now = () => Date.now() + (Math.abs(ahead) > 1500 ? ahead : 0);

/** Request JSON; `body` is sent as JSON. Throws `Refused`. */
export async function ask(path, { method = 'GET', body } = {}) {
  const init = { method, headers: {} };
  if (body !== undefined) {
    init.headers['Content-Type'] = 'application/json';
    init.body = typeof body === 'string' ? body : JSON.stringify(body);
  }
  const answer = await fetched(path, init);
  return answer.status === 204 ? null : answer.json();
}

/** Request text, such as a picture. Throws `Refused`. */
export const askText = async (path) => (await fetched(path)).text();

/** Add a query to a path; empty values are left out. */
export function path(base, question = {}) {
  const parts = Object.entries(question).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return parts.length ? `${base}?${new URLSearchParams(parts)}` : base;
}
