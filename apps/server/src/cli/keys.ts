import { delegatedScopes, Scope, scopes } from '@parley/contract'
import { minute, type Output, table, UsageError } from '@parley/terminal'
import { createKey, deleteKey, listKeys } from '../domain/operator/api-keys.js'
import type { OperatorAccess } from '../domain/operator/operator-act.js'

export async function showKeys(
  access: OperatorAccess,
  output: Output,
  { org }: { readonly org?: string },
): Promise<void> {
  const keys = await access.run(listKeys, { organizationId: org ?? null })
  output.result(keys, () =>
    table(
      ['KEY', 'ORGANIZATION', 'NAME', 'BEGINS', 'SCOPES', 'LAST USED', 'EXPIRES'],
      keys.map((key) => [
        key.id,
        key.organizationId,
        key.name,
        `prl_${key.prefix}_`,
        scopeList(key.scopes),
        key.lastUsedAt === null ? 'never' : minute(key.lastUsedAt),
        key.expiresAt === null ? 'never' : minute(key.expiresAt),
      ]),
    ),
  )
}

/** Abbreviates the default scopes as `all` and lists the scopes that a key must request explicitly. */
function scopeList(held: readonly Scope[]): string {
  const hasAll = scopes.every((scope) => held.includes(scope))
  return (hasAll ? ['all', ...delegatedScopes.filter((scope) => held.includes(scope))] : held).join(',')
}

export interface KeyOptions {
  readonly org?: string
  readonly name: string
  readonly scopes?: string
  readonly expires?: string
}

export async function makeKey(
  access: OperatorAccess,
  output: Output,
  { org, name, ...options }: KeyOptions,
): Promise<void> {
  const made = await access.run(createKey, {
    organizationId: org ?? null,
    key: {
      name,
      scopes: options.scopes === undefined ? [...scopes] : readScopes(options.scopes),
      expiresAt: options.expires === undefined ? null : readExpiry(options.expires, new Date()),
    },
  })
  output.result(made, () => [
    `Created key ${name}. It is shown only once:`,
    '',
    `  X-Org-Id   ${made.organizationId}`,
    `  X-Api-Key  ${made.key}`,
    '',
    `To delete this key, run parley key delete ${made.id}.`,
  ])
}

export async function removeKey(access: OperatorAccess, output: Output, id: string): Promise<void> {
  const removed = await access.run(deleteKey, { id })
  output.result(removed, () => [
    `Deleted key ${removed.name}. It no longer works.`,
    `To create another key, run parley key create --org ${removed.organizationId} --name NAME.`,
  ])
}

function readScopes(text: string): Scope[] {
  return text.split(',').map((part) => {
    const scope = Scope.safeParse(part.trim())
    if (scope.success) return scope.data
    throw new UsageError(
      `${part.trim()} is not a scope. Available scopes: ${[...scopes, ...delegatedScopes].join(', ')}`,
    )
  })
}

const unitMilliseconds = new Map([
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** Parses a time, a day or a duration from now: `2030-01-31T09:00:00Z`, `2030-01-31`, `90d`, `12h`. */
function readExpiry(text: string, now: Date): string {
  const [, count, unit = ''] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  const length = unitMilliseconds.get(unit)
  const at = length === undefined ? Date.parse(text) : now.getTime() + Number(count) * length
  if (Number.isNaN(at) || !/^\d/.test(text))
    throw new UsageError(
      `--expires ${text} is not a time. Use a form such as 2030-01-31T09:00:00Z, 2030-01-31, 90d or 12h.`,
    )
  return new Date(at).toISOString()
}
