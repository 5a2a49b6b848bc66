/** The arguments of a call that fit its tool's schema, or a description of the problem that lets a model correct it. */
export type CheckedArguments =
  | {
      readonly ok: true
      readonly arguments: Readonly<Record<string, unknown>>
      /** The one text of the arguments: it is stored, shown to people, and parsed when the tool runs. */
      readonly text: string
    }
  | { readonly ok: false; readonly problem: string }

/** How many characters the arguments of a call may have, and those of all calls of a chat model's step together. */
export const maxArgumentsCharacters = 1024 * 1024

/** Stands in place of longer arguments, which are not kept. It is not JSON, so no call runs with it. */
export const omittedArguments = `[Omitted: the arguments are longer than ${maxArgumentsCharacters} characters.]`

/** What a model gave, and what the tool takes. */
export interface GivenArguments {
  /** Whose call it is: no organization keeps the others waiting. */
  readonly organizationId: string
  /** A JSON schema, whoever wrote it. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly argumentsText: string
}

/** Checks arguments against schemas of strangers, in bounded time and beside everything else. */
export interface ArgumentChecker {
  /** Never rejects. */
  check(given: GivenArguments): Promise<CheckedArguments>
  close(): Promise<void>
}
