import { useEffect } from 'react'

/** Prefixes the window title with a count, whichever page sets it: `(2) Agents · Parley`. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    const prefix = count === 0 ? '' : `(${count}) `
    const apply = () => {
      const wanted = prefix + document.title.replace(/^\(\d+\) /, '')
      if (document.title !== wanted) document.title = wanted
    }
    apply()
    const title = document.querySelector('title')
    if (title === null) return
    const observer = new MutationObserver(apply)
    observer.observe(title, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [count])
}
