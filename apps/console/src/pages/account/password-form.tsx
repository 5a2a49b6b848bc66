import { Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-message'
import { useChange } from '../../data/use-change'
import { ErrorNotice } from '../../parts/error-notice'
import { passwordAdvice } from '../../parts/password-advice'

export function PasswordForm() {
  const { parley, person } = useConsole()
  const form = useForm({ initialValues: { current: '', new: '' } })
  const save = useChange({
    change: async (values: { current: string; new: string }) => parley.me.changePassword(values),
    changes: ['PersonSession'],
    done: 'Password updated. Your other sessions were ended.',
    isErrorShown: true,
    onDone: () => form.reset(),
  })
  const errors = fieldErrorsOf(save.error)
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack>
        {/* Tells password managers which account it belongs to. */}
        <input type="text" name="username" autoComplete="username" value={person.email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps('current')}
          error={errors.current}
        />
        <PasswordInput
          label="New password"
          description={`${passwordAdvice} You are signed out of all other sessions.`}
          autoComplete="new-password"
          required
          {...form.getInputProps('new')}
          error={errors.new}
        />
        {save.error !== null && Object.keys(errors).length === 0 && <ErrorNotice error={save.error} />}
        <Button type="submit" variant="default" loading={save.isPending} w="fit-content">
          Change password
        </Button>
      </Stack>
    </form>
  )
}
