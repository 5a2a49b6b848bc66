import { useState } from 'react'

const key = 'parley.playground.draft'

/** What is being written survives another page, and a reload. */
export function useDraft(): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  const keep = (next: string) => {
    setText(next)
    if (next === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, next)
  }
  return [text, keep]
}
