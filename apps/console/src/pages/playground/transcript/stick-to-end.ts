import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Distance from the end, in pixels, that still counts as the end. */
const nearPixels = 48

/** Scrolling within this time after a wheel or touch event counts as the user's. */
const handMilliseconds = 300

export interface StickToEnd {
  readonly scroll: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  readonly isAtEnd: boolean
  readonly goToEnd: () => void
}

/**
 * Follows the end while the user is there. Otherwise the position is kept, even if content is inserted above. The
 * user's own message always scrolls to the end.
 */
export function useStickToEnd(firstId: string | undefined, lastOwnId: string | undefined): StickToEnd {
  const scroll = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const position = useRef({ isAtEnd: true, top: 0, height: 0, handAt: -handMilliseconds, firstId, lastOwnId })

  const goToEnd = useCallback(() => {
    const element = scroll.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [])

  useEffect(() => {
    const [element, inner] = [scroll.current, content.current]
    if (element === null || inner === null) return
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = element
      // When content shrinks, the browser adjusts scrollTop itself. In a background tab that happens long before this
      // handler runs.
      const isByHand = performance.now() - position.current.handAt < handMilliseconds
      const isUpwards =
        scrollTop < position.current.top && (isByHand || scrollHeight === position.current.height)
      position.current.top = scrollTop
      // New content does not count as leaving the end. Only scrolling up does.
      if (scrollHeight - scrollTop - clientHeight < nearPixels) position.current.isAtEnd = true
      else if (isUpwards) position.current.isAtEnd = false
      setAtEnd(position.current.isAtEnd)
    }
    const grow = new ResizeObserver(() => {
      if (position.current.isAtEnd) {
        goToEnd()
        position.current.top = element.scrollTop
      }
      position.current.height = element.scrollHeight
    })
    const touch = () => {
      position.current.handAt = performance.now()
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

  // Content was inserted above, so the position is corrected.
  useLayoutEffect(() => {
    const element = scroll.current
    if (element === null || position.current.firstId === firstId) return
    position.current.firstId = firstId
    if (!position.current.isAtEnd) element.scrollTop += element.scrollHeight - position.current.height
    position.current.height = element.scrollHeight
  }, [firstId])

  useLayoutEffect(() => {
    if (position.current.lastOwnId === lastOwnId) return
    position.current.lastOwnId = lastOwnId
    position.current.isAtEnd = true
    goToEnd()
  }, [lastOwnId, goToEnd])

  return { scroll, content, isAtEnd, goToEnd }
}
