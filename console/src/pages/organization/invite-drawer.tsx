import { Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CreatedInvitation, Role } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-words'
import { useChange } from '../../data/use-change'
import { FormDrawer } from '../../parts/form-drawer'
import { roleChoices } from '../../parts/role-words'

interface InviteDrawerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onCreated: (created: CreatedInvitation) => void
}

export function InviteDrawer({ isOpen, onClose, onCreated }: InviteDrawerProps) {
  const { parley, membership } = useConsole()
  const form = useForm({ initialValues: { email: '', role: 'builder' } })
  const close = () => {
    form.reset()
    create.reset()
    onClose()
  }
  const create = useChange({
    change: async ({ email, role }: { email: string; role: string }) =>
      parley.invitations.create({ email, role: role as Role }),
    changes: ['Invitation'],
    isErrorShown: true,
    onDone: (created) => {
      onCreated(created)
      close()
    },
  })
  return (
    <FormDrawer
      title="Invite somebody"
      action="Make the link"
      isOpen={isOpen}
      onClose={close}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      isBusy={create.isPending}
      isDirty={form.isDirty()}
      error={create.error}
    >
      <TextInput
        label="E-mail address"
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
        error={fieldErrorsOf(create.error).email}
      />
      <Radio.Group label="Role" {...form.getInputProps('role')}>
        <Stack gap="sm" mt="xs">
          {roleChoices(membership.role === 'owner').map(({ value, label, words }) => (
            <Radio key={value} value={value} label={label} description={words} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDrawer>
  )
}
