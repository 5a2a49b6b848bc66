/** The arguments of a call that fit its tool's schema, or what is wrong with them, said so that a model can correct it. */
export type CheckedArguments =
  | { readonly ok: true; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string }

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
