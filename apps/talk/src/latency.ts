/** Measures the latency between the user's last word or key press and the agent's first word. */
export class Latency {
  #beganAt: number | null = null
  #firstWordAt: number | null = null
  #firstAudioAt: number | null = null

  /** The user has finished: the question has ended, or an approval was decided before any answer. */
  begin(at: number): void {
    if (this.#firstWordAt === null && this.#firstAudioAt === null) this.#beganAt = at
  }

  word(at: number): void {
    this.#firstWordAt ??= at
  }

  audio(at: number): void {
    this.#firstAudioAt ??= at
  }

  /** Null if there was no answer. */
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
