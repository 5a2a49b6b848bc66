import { useSyncExternalStore } from 'react'

function subscribeSeconds(listener: () => void): () => void {
  const timer = setInterval(listener, 1000)
  return () => clearInterval(timer)
}
const readSecond = () => Math.floor(Date.now() / 1000)

/** The current second, for running durations and deadlines. */
export function useSecond(): number {
  return useSyncExternalStore(subscribeSeconds, readSecond)
}
