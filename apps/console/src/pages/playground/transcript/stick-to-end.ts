import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So near to the end one is at it. */
const nearPixels = 48

/** So long after the wheel or a finger moved, what scrolls is scrolled by a person. */
const handMilliseconds = 300

export interface StickToEnd {
  readonly scroll: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  readonly isAtEnd: boolean
  readonly goToEnd: () => void
}

/**
 * Keeps to the end while one is there, and stays where one has scrolled to, also when something comes before it.
 * Whoever says something wants to see it, and what is answered.
 */
export function useStickToEnd(firstId: string | undefined, lastOwnId: string | undefined): StickToEnd {
  const scroll = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const place = useRef({ isAtEnd: true, top: 0, height: 0, handAt: -handMilliseconds, firstId, lastOwnId })

  const goToEnd = useCallback(() => {
    const element = scroll.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [])

  useEffect(() => {
    const [element, inner] = [scroll.current, content.current]
    if (element === null || inner === null) return
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = element
      // A card that became smaller makes the browser move up by itself, in a hidden window long before we see it.
      const isByHand = performance.now() - place.current.handAt < handMilliseconds
      const isUpwards = scrollTop < place.current.top && (isByHand || scrollHeight === place.current.height)
      place.current.top = scrollTop
      // Words that came since are no reason to stay behind: only whoever goes up leaves the end.
      if (scrollHeight - scrollTop - clientHeight < nearPixels) place.current.isAtEnd = true
      else if (isUpwards) place.current.isAtEnd = false
      setAtEnd(place.current.isAtEnd)
    }
    const grow = new ResizeObserver(() => {
      if (place.current.isAtEnd) {
        goToEnd()
        place.current.top = element.scrollTop
      }
      place.current.height = element.scrollHeight
    })
    const touch = () => {
      place.current.handAt = performance.now()
    }
    element.addEventListener('scroll', look, { passive: true })
    element.addEventListener('wheel', touch, { passive: true })
    element.addEventListener('touchmove', touch, { passive: true })
    grow.observe(inner)
    grow.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      element.removeEventListener('wheel', touch)
      element.removeEventListener('touchmove', touch)
      grow.disconnect()
    }
  }, [goToEnd])

  // Something came before the first: what one reads is not to move.
  useLayoutEffect(() => {
    const element = scroll.current
    if (element === null || place.current.firstId === firstId) return
    place.current.firstId = firstId
    if (!place.current.isAtEnd) element.scrollTop += element.scrollHeight - place.current.height
    place.current.height = element.scrollHeight
  }, [firstId])

  // What one says oneself one wants to see.
  useLayoutEffect(() => {
    if (place.current.lastOwnId === lastOwnId) return
    place.current.lastOwnId = lastOwnId
    place.current.isAtEnd = true
    goToEnd()
  }, [lastOwnId, goToEnd])

  return { scroll, content, isAtEnd, goToEnd }
}
