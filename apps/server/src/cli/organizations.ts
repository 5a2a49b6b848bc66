import { minute, type Output, table } from '@parley/terminal'
import type { OperatorAccess } from '../domain/operator/operator-act.js'
import { createOrganization, listOrganizations } from '../domain/operator/organizations.js'

export async function showOrganizations(access: OperatorAccess, output: Output): Promise<void> {
  const organizations = await access.run(listOrganizations, {})
  output.result(organizations, () =>
    table(
      ['ORGANIZATION', 'NAME', 'KEYS', 'MADE'],
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
    `The organization ${name} is made. Its first key may do everything, and is shown this once:`,
    '',
    `  X-Org-Id   ${made.organizationId}`,
    `  X-Api-Key  ${made.key}`,
  ])
}
