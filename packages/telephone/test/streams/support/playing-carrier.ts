/** A carrier that plays queued audio in real time and returns marks after a delay, in virtual milliseconds. */
export class PlayingCarrier {
  /** The audio that was really played. */
  heardMilliseconds = 0
  #queue: { milliseconds: number; mark: string }[] = []
  #returning: { at: number; mark: string }[] = []
  #now = 0
  readonly #delay: number

  constructor(delay: number) {
    this.#delay = delay
  }

  play(milliseconds: number, mark: string): void {
    this.#queue.push({ milliseconds, mark })
  }

  /** Discards the queue and returns its marks, as Twilio does. */
  clear(): void {
    for (const { mark } of this.#queue.splice(0)) this.#return(mark)
  }

  /** Plays one millisecond. Returns the marks that arrive at our side. */
  tick(): string[] {
    this.#now += 1
    const [first] = this.#queue
    if (first) {
      first.milliseconds -= 1
      this.heardMilliseconds += 1
      if (first.milliseconds <= 0) {
        this.#queue.shift()
        this.#return(first.mark)
      }
    }
    const arrived = this.#returning.filter(({ at }) => at <= this.#now)
    this.#returning = this.#returning.filter(({ at }) => at > this.#now)
    return arrived.map(({ mark }) => mark)
  }

  #return(mark: string): void {
    this.#returning.push({ at: this.#now + this.#delay, mark })
  }
}
