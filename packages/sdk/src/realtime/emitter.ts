type Listeners<Events> = { [Name in keyof Events]?: Set<(event: Events[Name]) => void> }

/** Listeners by event name. A listener that throws does not keep others from being called. */
export class Emitter<Events extends object> {
  readonly #listeners: Listeners<Events> = {}

  /** Returns a function that unsubscribes. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
    const listeners = this.#listeners[name] ?? new Set()
    this.#listeners[name] = listeners
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const listener of [...(this.#listeners[name] ?? [])]) callSafely(listener, event)
  }
}

/** An error in a listener is reported like an uncaught error, and the session continues. */
export function callSafely<Event>(listener: (event: Event) => void, event: Event): void {
  try {
    listener(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
