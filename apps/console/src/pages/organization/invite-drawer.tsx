import { Radio, Stack, TextInput } from '@mantine/core'
import type { CreatedInvitation, Role } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { FormDrawer } from '../../parts/form-drawer'
import { roleChoices } from '../../parts/role-choices'
import { type ShownOnce, useShownOnce } from './use-shown-once'

type InvitationForm = {
  readonly email: string
  readonly role: string
}

type Invitations = ShownOnce<InvitationForm, CreatedInvitation>

export function useInviting(): Invitations {
  const { parley } = useConsole()
  return useShownOnce({
    initialValues: { email: '', role: 'builder' },
    create: async ({ email, role }: InvitationForm) =>
      parley.invitations.create({ email, role: role as Role }),
    resource: 'Invitation',
  })
}

export function InviteDrawer({ inviting: { form, errors, drawer } }: { readonly inviting: Invitations }) {
  const { membership } = useConsole()
  return (
    <FormDrawer title="Invite member" action="Create link" {...drawer}>
      <TextInput
        label="Email"
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
        error={errors.email}
      />
      <Radio.Group label="Role" {...form.getInputProps('role')}>
        <Stack gap="sm" mt="xs">
          {roleChoices(membership.role === 'owner').map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDrawer>
  )
}
