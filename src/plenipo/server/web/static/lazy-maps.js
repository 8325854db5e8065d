/* Maps in lists, each fetched once its place is on the screen: a map waits in a template. */

/** Add the pictures of cards that come near the screen; each weighs more than the rest of the page. */
export function addMaps(cards, rootMargin = '0px 0px -60px') {
  const watch = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      target.append(target.querySelector('template').content.cloneNode(true));
      const picture = target.querySelector('img');
      if (!document.documentElement.dataset.chosen) continue;
      picture.parentElement.querySelector('source')?.remove();
      picture.src = `${picture.dataset.picture}&theme=${document.documentElement.dataset.theme}`;
    }
  }, { rootMargin });
  for (const map of document.querySelectorAll(`${cards}:has(template)`)) watch.observe(map);
}
