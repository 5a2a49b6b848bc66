import { useState } from 'react'

const key = 'parley.playground.draft'

/** The draft survives navigation and reload. */
export function useDraft(): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  const keep = (next: string) => {
    setText(next)
    if (next === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, next)
  }
  return [text, keep]
}
