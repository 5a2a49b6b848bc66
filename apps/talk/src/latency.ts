/** How long a person waits, from their last word or key to the agent's first. */
export class Latency {
  #beganAt: number | null = null
  #firstWordAt: number | null = null
  #firstAudioAt: number | null = null

  /** The person has done their part: ended the question, or decided something before anything was answered. */
  begin(at: number): void {
    if (this.#firstWordAt === null && this.#firstAudioAt === null) this.#beganAt = at
  }

  word(at: number): void {
    this.#firstWordAt ??= at
  }

  audio(at: number): void {
    this.#firstAudioAt ??= at
  }

  /** Null where nothing was answered. */
  describe(): string | null {
    const parts = [
      this.#part('first word', this.#firstWordAt),
      this.#part('first audio', this.#firstAudioAt),
    ].filter((part) => part !== null)
    return parts.length === 0 ? null : parts.join(', ')
  }

  #part(what: string, at: number | null): string | null {
    if (at === null || this.#beganAt === null) return null
    return `${what} after ${seconds((at - this.#beganAt) / 1000)}`
  }
}

export function seconds(value: number): string {
  return `${Math.max(0, value).toFixed(2)} s`
}
