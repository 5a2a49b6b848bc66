import { minute, type Output, table } from '@parley/terminal'
import type { OperatorAccess } from '../domain/operator/operator-act.js'
import { createOrganization, listOrganizations } from '../domain/operator/organizations.js'

export async function showOrganizations(access: OperatorAccess, output: Output): Promise<void> {
  const organizations = await access.run(listOrganizations, {})
  output.result(organizations, () =>
    table(
      ['ORGANIZATION', 'NAME', 'KEYS', 'CREATED'],
      organizations.map(({ organizationId, name, keys, createdAt, isFirst }) => [
        organizationId,
        isFirst ? `${name} (first)` : name,
        String(keys),
        minute(createdAt),
      ]),
    ),
  )
}

export async function makeOrganization(
  access: OperatorAccess,
  output: Output,
  { name }: { readonly name: string },
): Promise<void> {
  const made = await access.run(createOrganization, { name })
  output.result(made, () => [
    `Created organization ${name}. Its first API key has every default scope and is shown only once:`,
    '',
    `  X-Org-Id   ${made.organizationId}`,
    `  X-Api-Key  ${made.key}`,
  ])
}
