/** A chunk that failed to load, or that a newer version no longer has. */
export class PartMissingError extends Error {
  constructor(cause: unknown) {
    super('Could not load this part of the console. Parley may have been updated.', {
      cause,
    })
  }
}

/** Loads a chunk on demand. If it fails, only a page reload helps, and the user decides when. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    throw new PartMissingError(cause)
  }
}
