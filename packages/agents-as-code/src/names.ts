import type { DesiredEntry } from './desired-state.js'
import type { KindName } from './managed-kinds.js'
import type { PresentResource, PresentState } from './present-state.js'

/** Maps names in the files to ids of the service, and ids back to names. */
export class Names {
  readonly #idsByName = new Map<string, string>()
  readonly #namesById = new Map<string, string>()
  readonly #presentById = new Map<string, PresentResource>()
  readonly #wanted: ReadonlySet<string>

  constructor(desired: readonly DesiredEntry[], present: PresentState) {
    this.#wanted = new Set(desired.map(({ kind, externalId }) => keyOf(kind, externalId)))
    for (const resource of [...present.values()].flat()) {
      const { kind, id, externalId } = resource
      this.#presentById.set(keyOf(kind, id), resource)
      if (externalId !== null) this.learn(kind, externalId, id)
    }
    for (const { kind, externalId, adoptedId } of desired) {
      if (adoptedId === null || this.#idsByName.has(keyOf(kind, externalId))) continue
      // A resource that already has an external id belongs to another entry or set.
      if (this.#presentById.get(keyOf(kind, adoptedId))?.externalId === null)
        this.learn(kind, externalId, adoptedId)
    }
  }

  /** Records the id of a created resource. */
  learn(kind: KindName, name: string, id: string): void {
    this.#idsByName.set(keyOf(kind, name), id)
    this.#namesById.set(keyOf(kind, id), name)
  }

  /** Returns the id for a name, or null if the resource does not exist yet. */
  readonly idOf = (kind: KindName, name: string): string | null => {
    const id = this.#idsByName.get(keyOf(kind, name))
    if (id !== undefined) return id
    return this.#presentById.has(keyOf(kind, name.toLowerCase())) ? name.toLowerCase() : null
  }

  readonly nameOf = (kind: KindName, id: string): string => this.#namesById.get(keyOf(kind, id)) ?? id

  /** Returns the canonical name of a reference: the external id, even if the file uses the id. */
  readonly rename = (kind: KindName, name: string): string => {
    const id = this.idOf(kind, name)
    return id === null ? name : this.nameOf(kind, id)
  }

  /** Returns whether the resource exists or will be created. */
  isKnown(kind: KindName, name: string): boolean {
    return this.idOf(kind, name) !== null || this.#wanted.has(keyOf(kind, name))
  }

  presentOf({ kind, externalId }: DesiredEntry): PresentResource | null {
    const id = this.#idsByName.get(keyOf(kind, externalId))
    return id === undefined ? null : (this.#presentById.get(keyOf(kind, id)) ?? null)
  }
}

const keyOf = (kind: KindName, name: string) => `${kind} ${name}`
