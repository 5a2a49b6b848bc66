import { useEffect } from 'react'

/** The elements whose title was set here. Titles set by a page are kept. */
const given = new WeakSet<HTMLElement>()

/** Gives every text that is cut off by an ellipsis a title with the full text. */
export function useFullTextOnHover(): void {
  useEffect(() => {
    document.addEventListener('pointerover', showFullText)
    return () => document.removeEventListener('pointerover', showFullText)
  }, [])
}

function showFullText({ target }: PointerEvent): void {
  // The ellipsis may belong to an element around the hovered one.
  for (let element = target, depth = 0; element instanceof HTMLElement && depth < 3; depth += 1) {
    if (isCutOff(element) && (!element.title || given.has(element))) {
      element.title = element instanceof HTMLInputElement ? element.value : element.innerText
      given.add(element)
      return
    }
    if (given.has(element)) element.title = ''
    element = element.parentElement
  }
}

function isCutOff(element: HTMLElement): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  if (element.scrollHeight > element.clientHeight + 1 && Number(webkitLineClamp) > 0) return true
  if (element.scrollWidth <= element.clientWidth) return false
  // The value of other inputs may be secret.
  if (element instanceof HTMLInputElement) return element.ariaHasPopup === 'listbox'
  return textOverflow === 'ellipsis'
}
