import type { Output } from '@parley/terminal'
import type { OperatorAccess } from '../domain/operator/operator-act.js'
import { createOwnerLink } from '../domain/operator/people.js'
import { linkOf } from '../domain/people/members.js'

export async function makeOwnerLink(
  access: OperatorAccess,
  output: Output,
  { org, publicUrl }: { readonly org?: string; readonly publicUrl: string },
): Promise<void> {
  const { organizationId, token } = await access.run(createOwnerLink, { organizationId: org ?? null })
  const link = linkOf(publicUrl, 'owner', token)
  output.result({ organizationId, link }, () => [
    'The first person who opens this link becomes an owner of the organization. It expires in an hour:',
    '',
    `  ${link}`,
  ])
}
