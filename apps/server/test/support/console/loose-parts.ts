/**
 * Returns what does not fit on a page: text that leaves the window, horizontal scroll bars, and vertical scroll bars
 * inside each other.
 */
export const looseParts = `(() => {
  const found = []
  const nameOf = (element) => element.tagName.toLowerCase() + '.' + String(element.className).slice(0, 60)
  const root = document.documentElement
  if (root.scrollWidth > innerWidth + 1) found.push('the page is ' + root.scrollWidth + ' px wide')
  const scrolls = (element, axis) => {
    const style = getComputedStyle(element)
    return /auto|scroll/.test(style['overflow' + axis]) && style.scrollbarWidth !== 'none'
  }
  const bars = []
  if (root.scrollHeight > innerHeight + 1) bars.push(root)
  for (const element of document.querySelectorAll('main *')) {
    if (!element.checkVisibility() || element.matches('textarea, input')) continue
    if (scrolls(element, 'X') && element.scrollWidth > element.clientWidth + 1)
      found.push('horizontal scroll bar: ' + nameOf(element))
    if (scrolls(element, 'Y') && element.scrollHeight > element.clientHeight + 1) bars.push(element)
    const { right, left, width } = element.getBoundingClientRect()
    const clips = (each) => each && each !== document.body && (getComputedStyle(each).overflowX !== 'visible' || clips(each.parentElement))
    if (width > 1 && (right > innerWidth + 1 || left < -1) && !clips(element.parentElement))
      found.push('outside of the window: ' + nameOf(element))
  }
  if (bars.length > 1) found.push('scroll bars: ' + bars.map(nameOf).join(', '))
  return found.slice(0, 8)
})()`
