/* Everything on a page that is cut off, sticks out of its box, or lies on top of something else, as sentences. */
() => {
  const found = [];
  const told = (element) => {
    const name = element.id ? `#${element.id}` : element.className && typeof element.className === 'string'
      ? `${element.localName}.${element.className.trim().replace(/\s+/g, '.')}` : element.localName;
    const holder = element.id ? '' : element.parentElement.closest('[id], [class]');
    const at = holder ? `${holder.id ? `#${holder.id}` : `.${String(holder.className.baseVal ?? holder.className).split(' ')[0]}`} ` : '';
    return `${at}${name} "${(element.textContent || element.value || '').replace(/\s+/g, ' ').trim().slice(0, 70)}"`;
  };
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) found.push(`the page is ${root.scrollWidth} wide in a window of ${innerWidth}`);
  const hidden = (element) => {
    const style = getComputedStyle(element);
    return style.visibility === 'hidden' || style.display === 'none' || style.clipPath !== 'none';
  };
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    if (box.width < 3 || box.height < 3 || !element.checkVisibility({ visibilityProperty: true })) return false;
    return !element.closest('svg, .sr, .skip, [hidden], .menu > .pop');
  };
  const clipped = (style) => ['hidden', 'clip'].includes(style.overflowX) || ['hidden', 'clip'].includes(style.overflowY);

  const scrolls = (box, style) => ['auto', 'scroll'].includes(style.overflowX) || ['auto', 'scroll'].includes(style.overflowY)
    || (clipped(style) && box.matches('.panel, .at-game, .map'));
  // what of boxes has not scrolled away
  const within = (element, boxes) => {
    let seen = boxes;
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
      if (!scrolls(box, getComputedStyle(box))) continue;
      const edge = box.getBoundingClientRect();
      const cut = ({ left, right, top, bottom }) => ({
        left: Math.max(left, edge.left), right: Math.min(right, edge.right), top: Math.max(top, edge.top), bottom: Math.min(bottom, edge.bottom) });
      seen = seen.map(cut).filter((one) => one.right > one.left + 1 && one.bottom > one.top + 1);
    }
    return seen.map((one) => ({ ...one, width: one.right - one.left, height: one.bottom - one.top }));
  };

  // texts: what of their boxes an element hides, and how far they reach out of the page
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !holder || !seen(holder)) continue;
    if (holder.closest('option, script, style, noscript, textarea')) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    let boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
    if (!boxes.length) continue;
    let gone = false;
    for (let box = holder; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (hidden(box)) { gone = true; break; }
      const inside = box.getBoundingClientRect();
      if (scrolls(box, style)) continue;
      if (clipped(style) && boxes.some((one) => one.right > inside.right + 1.5 || one.left < inside.left - 1.5
          || one.bottom > inside.bottom + one.height * 0.3 || one.top < inside.top - one.height * 0.3)) {
        if (!box.closest('[title]') || style.textOverflow !== 'ellipsis') found.push(`cut off: ${told(box)}`);
        gone = true;
        break;
      }
      if (style.position === 'fixed') break;
    }
    if (gone) continue;
    const block = holder.closest('button, a.btn, .btn, summary, td, th, li, p, dd, dt, h1, h2, h3, label, section, form, main') ?? holder;
    const edge = block.getBoundingClientRect();
    const rolls = holder.closest('pre, table, .chips, .rail');
    if (!rolls && boxes.some((one) => one.right > edge.right + 2 || one.left < edge.left - 2)) found.push(`sticks out: ${told(block)}`);
    if (block.matches('button, .btn') && boxes.some((one) => one.bottom > edge.bottom + 2 || one.top < edge.top - 2)) found.push(`sticks out: ${told(block)}`);
    boxes = within(walker.currentNode.parentElement, boxes.map(({ left, right, top, bottom }) => ({ left, right, top, bottom })));
    if (boxes.length) texts.push({ holder, boxes });
  }

  // boxes that are narrower than what is in them
  const wider = new Set();
  for (const box of [...document.querySelectorAll('body *')].reverse()) {
    if (!seen(box) || ['inline', 'contents'].includes(getComputedStyle(box).display)) continue;
    if (box.matches('select, input, textarea, meter, iframe, .map, .map *, .slider, .slider *')) continue;
    const style = getComputedStyle(box);
    if (style.overflowX !== 'visible' || box.scrollWidth <= box.clientWidth + 1 || !box.clientWidth) continue;
    const hangs = (one) => parseFloat(getComputedStyle(one).marginInlineEnd) <= box.clientWidth - box.scrollWidth + 1;
    if ([...box.querySelectorAll('*')].some(hangs)) continue;
    if (![...box.children].some((one) => wider.has(one))) found.push(`overflows by ${box.scrollWidth - box.clientWidth} px: ${told(box)}`);
    wider.add(box);
  }

  // fields whose chosen words do not fit
  const pen = document.createElement('canvas').getContext('2d');
  for (const field of document.querySelectorAll('select, input[placeholder]')) {
    if (!seen(field)) continue;
    const style = getComputedStyle(field);
    const words = field.localName === 'select' ? field.selectedOptions[0]?.textContent.trim() : field.value ? '' : field.placeholder;
    if (!words || style.textOverflow === 'ellipsis') continue; // the list of its choices has them whole
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (pen.measureText(words).width > room + 2) found.push(`cut off: ${told(field)} shows "${words}" in ${Math.round(room)} px`);
  }

  // texts and controls on top of each other
  const controls = [...document.querySelectorAll('button, input:not([type=hidden]), select, textarea')].filter(seen)
    .filter((one) => !one.closest('.zoom, .slider, .grip'))
    .map((holder) => ({ holder, boxes: within(holder, [holder.getBoundingClientRect()]) }))
    .filter(({ boxes }) => boxes.length);
  const float = (element) => {
    for (let box = element; box; box = box.parentElement) {
      if (['fixed', 'sticky'].includes(getComputedStyle(box).position)) return box;
      if (box.matches('dialog, .prompt, .zoom, .toast, .panel, .map-side')) return box;
    }
    return null;
  };
  const things = [...texts, ...controls].map((one) => ({ ...one, float: float(one.holder) }));
  for (let i = 0; i < things.length; i += 1) {
    for (let j = i + 1; j < things.length; j += 1) {
      const [a, b] = [things[i], things[j]];
      if (a.float !== b.float) continue; // one of them lies in front
      if (a.holder.contains(b.holder) || b.holder.contains(a.holder)) continue;
      if (a.holder.closest('label') && a.holder.closest('label') === b.holder.closest('label')) continue;
      const over = a.boxes.some((one) => b.boxes.some((two) => Math.min(one.right, two.right) - Math.max(one.left, two.left) > 2
        && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > Math.min(one.height, two.height) * 0.3));
      if (!over) continue;
      found.push(`on top of each other: ${told(a.holder)} and ${told(b.holder)}`);
    }
  }
  return [...new Set(found)];
}
