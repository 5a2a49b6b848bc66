/** A part of the console that the service has no more, or that did not come. */
export class PartMissingError extends Error {
  constructor(cause: unknown) {
    super('This part of the console did not come: Parley may have been updated since you opened it.', {
      cause,
    })
  }
}

/** Loads a part that is not needed at once. Where it does not come, only a whole new page helps: the person decides when. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    throw new PartMissingError(cause)
  }
}
