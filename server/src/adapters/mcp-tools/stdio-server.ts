/** A stdio server that the operator offers by name. */
export interface StdioServer {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export type StdioServers = Readonly<Record<string, StdioServer>>

const secretName = /key|token|secret|password|credential|auth/i

/** The values of the operator's variables that are secrets by their names; others may be part of every answer. */
export function secretsOf({ env }: StdioServer): string[] {
  return Object.entries(env).flatMap(([name, value]) => (secretName.test(name) ? [value] : []))
}
