/** Collects the events of a writer or a dialect. Whole frames are parsed. */
export interface EmittedEvents {
  readonly all: Emitted[]
  /** Passed to a writer as its `emit`. */
  readonly emit: (event: object) => void
  /** Returns the events since the last call. */
  take(): Emitted[]
  /** Returns the types of the events since the last call. */
  takeTypes(): string[]
}

export type Emitted = Readonly<Record<string, unknown>> & { readonly type: string }

export function collectEvents(): EmittedEvents {
  const all: Emitted[] = []
  let taken = 0
  const take = () => {
    const since = all.slice(taken)
    taken = all.length
    return since
  }
  return {
    all,
    emit: (event) =>
      void all.push(JSON.parse(Buffer.isBuffer(event) ? event.toString() : JSON.stringify(event))),
    take,
    takeTypes: () => take().map(({ type }) => type),
  }
}
