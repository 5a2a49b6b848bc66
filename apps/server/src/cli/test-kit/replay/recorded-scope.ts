import { type Recording, wireForm } from './recorded-line.js'

/** The recordings of one test; each is played once. */
export class RecordedScope {
  readonly #left: Recording[]

  constructor(recordings: readonly Recording[]) {
    this.#left = [...recordings]
  }

  /**
   * The next request of this kind. Of several it is the first with the same body, as agents that work beside each other
   * ask in any order; where none has it, the first.
   */
  takeRequest(call: string, body: string): Recording | null {
    const isSuch = ({ opening }: Recording) =>
      opening.kind === 'request' && `${opening.method} ${opening.path}` === call
    const isSame = (recording: Recording) => isSuch(recording) && bodyOf(recording) === body
    return this.#take(isSame) ?? this.#take(isSuch)
  }

  takeSession(): Recording | null {
    return this.#take(({ opening }) => opening.kind === 'session')
  }

  #take(isWanted: (recording: Recording) => boolean): Recording | null {
    const place = this.#left.findIndex(isWanted)
    return place < 0 ? null : (this.#left.splice(place, 1)[0] ?? null)
  }
}

function bodyOf({ lines }: Recording): string {
  const sent = lines.find(({ from }) => from === 'client')
  return sent === undefined ? '' : String(wireForm(sent) ?? '')
}
