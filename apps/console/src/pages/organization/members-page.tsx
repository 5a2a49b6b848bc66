import { ActionIcon, Badge, Button, Group, Select, Tabs } from '@mantine/core'
import type { Invitation, Member } from '@parley/sdk'
import { IconAddressBook, IconTrash, IconUserPlus } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { useRows } from '../../data/use-rows'
import { Confirm } from '../../parts/confirm'
import { EmptyState } from '../../parts/empty-state'
import { PageFrame } from '../../parts/page-frame'
import { roleChoices } from '../../parts/role-choices'
import { type Column, RowList } from '../../parts/row-list'
import { Timestamp } from '../../parts/timestamp'
import { InviteDrawer, useInviting } from './invite-drawer'
import { NewInvitation } from './new-invitation'

export function MembersPage() {
  const { parley } = useConsole()
  const inviting = useInviting()
  const members = useRows<Member>({ resource: 'Member', read: (range) => parley.members.list(range) })
  const invitations = useRows<Invitation>({
    resource: 'Invitation',
    read: (range) => parley.invitations.list(range),
  })
  const invite = (
    <Button leftSection={<IconUserPlus size={16} />} onClick={inviting.open}>
      Invite member
    </Button>
  )
  return (
    <PageFrame
      title="Members"
      about="People who can sign in. Each role is a fixed set of scopes."
      actions={invite}
    >
      {inviting.created !== null && <NewInvitation created={inviting.created} onClose={inviting.putAway} />}
      <Tabs defaultValue="members" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="members">Members</Tabs.Tab>
          <Tabs.Tab value="invitations">Invitations</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="members">
          <RowList isInPage label="Members" rows={members} columns={memberColumns} empty={null} />
        </Tabs.Panel>
        <Tabs.Panel value="invitations">
          <RowList
            isInPage
            label="Invitations"
            rows={invitations}
            columns={invitationColumns}
            empty={
              <EmptyState icon={IconAddressBook} title="No invitations yet" action={invite}>
                Create a link and send it yourself. It works once and expires after 7 days.
              </EmptyState>
            }
          />
        </Tabs.Panel>
      </Tabs>
      <InviteDrawer inviting={inviting} />
    </PageFrame>
  )
}

const memberColumns: readonly Column<Member>[] = [
  { title: 'Name', width: '1.5fr', cell: ({ name }) => name },
  { title: 'Email', width: '2fr', isMinor: true, cell: ({ email }) => email },
  {
    title: '2FA',
    width: '8rem',
    isMinor: true,
    cell: ({ hasTotp }) => (hasTotp ? <Badge variant="light">On</Badge> : 'Off'),
  },
  { title: 'Joined', width: '8rem', isMinor: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { title: 'Role', width: '9rem', cell: (member) => <RoleSelect member={member} /> },
  { title: 'Actions', width: '4rem', cell: (member) => <RemoveMember member={member} /> },
]

/** Only owners may change owners. */
function useMayChange({ role }: Member): boolean {
  const { membership } = useConsole()
  return membership.role === 'owner' || role !== 'owner'
}

function RoleSelect({ member }: { readonly member: Member }) {
  const { parley, membership, refresh } = useConsole()
  const mayChange = useMayChange(member)
  const change = useChange({
    change: async (role: string) => parley.members.patch(member.id, { role: role as Member['role'] }),
    changes: ['Member'],
    done: `Role of ${member.name} changed.`,
    onDone: () => void refresh(),
  })
  if (!mayChange) return <>{member.role}</>
  return (
    <Select
      size="xs"
      aria-label={`Role of ${member.name}`}
      allowDeselect={false}
      data={roleChoices(membership.role === 'owner')}
      value={member.role}
      disabled={change.isPending}
      onChange={(role) => role !== null && role !== member.role && change.mutate(role)}
    />
  )
}

function RemoveMember({ member }: { readonly member: Member }) {
  const { parley } = useConsole()
  const mayChange = useMayChange(member)
  const remove = useChange({
    change: async () => parley.members.delete(member.id),
    changes: ['Member'],
    done: `${member.name} removed.`,
  })
  if (!mayChange) return null
  return (
    <Group justify="end">
      <Confirm
        title={`Remove ${member.name}?`}
        action="Remove member"
        onConfirm={() => remove.mutateAsync(undefined)}
        trigger={(open) => (
          <ActionIcon variant="subtle" color="red" onClick={open} aria-label={`Remove ${member.name}`}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      >
        The member loses access immediately. API keys that they created stay active.
      </Confirm>
    </Group>
  )
}

const invitationColumns: readonly Column<Invitation>[] = [
  { title: 'Email', width: '2fr', cell: ({ email }) => email ?? 'Anyone with the link' },
  { title: 'Role', width: '7rem', cell: ({ role }) => role },
  { title: 'Invited by', width: '1fr', isMinor: true, cell: ({ invitedBy }) => invitedBy ?? 'Operator' },
  {
    title: 'Status',
    width: '10rem',
    isMinor: true,
    cell: ({ acceptedAt, expiresAt }) =>
      acceptedAt === null ? (
        <>
          Expires <Timestamp at={expiresAt} />
        </>
      ) : (
        'Accepted'
      ),
  },
  { title: 'Actions', width: '4rem', cell: (invitation) => <Revoke invitation={invitation} /> },
]

function Revoke({ invitation: { id, email, acceptedAt } }: { readonly invitation: Invitation }) {
  const { parley } = useConsole()
  const remove = useChange({
    change: async () => parley.invitations.delete(id),
    changes: ['Invitation'],
    done: 'Invitation revoked.',
  })
  if (acceptedAt !== null) return null
  return (
    <Group justify="end">
      <Confirm
        title="Revoke invitation?"
        action="Revoke invitation"
        onConfirm={() => remove.mutateAsync(undefined)}
        trigger={(open) => (
          <ActionIcon
            variant="subtle"
            color="red"
            onClick={open}
            aria-label={`Revoke invitation of ${email ?? 'anyone with the link'}`}
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      >
        The link stops working immediately.
      </Confirm>
    </Group>
  )
}
