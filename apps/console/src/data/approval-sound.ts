import { useSyncExternalStore } from 'react'

const mutedKey = 'parley.approval-sound'
const listeners = new Set<() => void>()

const isOn = () => localStorage.getItem(mutedKey) !== 'off'

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another window of the console may change it.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** Whether a pending approval plays a sound. Stored in this browser. */
export function useApprovalSound(): readonly [boolean, (isWanted: boolean) => void] {
  const change = (isWanted: boolean) => {
    if (isWanted) localStorage.removeItem(mutedKey)
    else localStorage.setItem(mutedKey, 'off')
    for (const listener of listeners) listener()
  }
  return [useSyncExternalStore(subscribe, isOn), change]
}

const notes = [
  { hertz: 659, at: 0 },
  { hertz: 880, at: 0.16 },
] as const
const noteSeconds = 0.22
const loudness = 0.07

let context: AudioContext | null = null

/** Plays two short notes, unless muted. Browsers allow sound only after a user gesture. */
export function playApprovalSound(): void {
  if (!isOn() || !navigator.userActivation.hasBeenActive) return
  context ??= new AudioContext()
  void context.resume()
  for (const { hertz, at } of notes) {
    const start = context.currentTime + at
    const [tone, volume] = [context.createOscillator(), context.createGain()]
    tone.frequency.value = hertz
    volume.gain.setValueAtTime(0, start)
    volume.gain.linearRampToValueAtTime(loudness, start + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, start + noteSeconds)
    tone.connect(volume).connect(context.destination)
    tone.start(start)
    tone.stop(start + noteSeconds)
  }
}
