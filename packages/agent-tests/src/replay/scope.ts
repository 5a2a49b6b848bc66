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

/** A test's own part of a recording: a folder, and a segment of the address. */
const scopePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Where an API begins at the addresses of providers; an Azure resource's has the longer one. */
const apiPaths = ['/openai/v1', '/v1']

export interface ScopedPath {
  readonly scope: string
  /** What is asked for, behind where the API begins, with its query. */
  readonly path: string
}

/** Reads `/<scope>/v1/chat/completions`; null where it is nothing of the kind. */
export function readScopedPath(url: string | undefined): ScopedPath | null {
  const [, scope = '', rest = ''] = /^\/([^/?]*)(.*)$/.exec(url ?? '') ?? []
  const apiPath = apiPaths.find((each) => rest.startsWith(`${each}/`))
  if (!scopePattern.test(scope) || apiPath === undefined) return null
  return { scope, path: rest.slice(apiPath.length) }
}

/** The baseUrl of a connection for one test. */
export function scopedAddress(origin: string, scope: string): string {
  if (!scopePattern.test(scope))
    throw new Error(`${scope} cannot name a recording: use 1 to 100 letters, digits, dots, _ or -.`)
  return `${origin}/${scope}/v1`
}
