import { useSyncExternalStore } from 'react'

let isSignedOut = false
const listeners = new Set<() => void>()

/** True if the session ended while the console was open. */
export const signedOut = {
  get: () => isSignedOut,
  set(value: boolean): void {
    if (value === isSignedOut) return
    isSignedOut = value
    for (const listener of [...listeners]) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

export const useSignedOut = () => useSyncExternalStore(signedOut.subscribe, signedOut.get)
