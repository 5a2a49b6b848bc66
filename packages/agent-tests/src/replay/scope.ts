import { type Recording, wireForm } from './recorded-line.js'

/** The recordings of one scope. Each is played once. */
export class RecordedScope {
  readonly #left: Recording[]

  constructor(recordings: readonly Recording[]) {
    this.#left = [...recordings]
  }

  /**
   * Returns the next recorded request of this kind. Prefers one with the same body, because parallel agents
   * send requests in any order.
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
    const index = this.#left.findIndex(isWanted)
    return index < 0 ? null : (this.#left.splice(index, 1)[0] ?? null)
  }
}

function bodyOf({ lines }: Recording): string {
  const sent = lines.find(({ from }) => from === 'client')
  return sent === undefined ? '' : String(wireForm(sent) ?? '')
}

/** The name of a scope: a folder of the recording and a segment of the URL. */
const scopePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** The paths of the providers' APIs. The longer one is that of Azure resources. */
const apiPaths = ['/openai/v1', '/v1']

export interface ScopedPath {
  readonly scope: string
  /** The path within the API, with the query. */
  readonly path: string
}

/** Reads `/<scope>/v1/chat/completions`. Returns null if the path has a different form. */
export function readScopedPath(url: string | undefined): ScopedPath | null {
  const [, scope = '', rest = ''] = /^\/([^/?]*)(.*)$/.exec(url ?? '') ?? []
  const apiPath = apiPaths.find((each) => rest.startsWith(`${each}/`))
  if (!scopePattern.test(scope) || apiPath === undefined) return null
  return { scope, path: rest.slice(apiPath.length) }
}

/** Returns the baseUrl of a connection for one scope. */
export function scopedAddress(origin: string, scope: string): string {
  if (!scopePattern.test(scope))
    throw new Error(`${scope} cannot name a recording: use 1 to 100 letters, digits, dots, _ or -.`)
  return `${origin}/${scope}/v1`
}
