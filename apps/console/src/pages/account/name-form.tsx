import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'

export function NameForm() {
  const { parley, person, refresh } = useConsole()
  const form = useForm({ initialValues: { name: person.name } })
  const save = useChange({
    change: async ({ name }: { name: string }) => parley.me.patch({ name }),
    changes: ['Member'],
    done: 'Name updated.',
    onDone: () => {
      form.resetDirty()
      void refresh()
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Group align="end">
        <TextInput
          label="Name"
          description={person.email}
          autoComplete="name"
          required
          flex={1}
          {...form.getInputProps('name')}
        />
        <Button type="submit" variant="default" loading={save.isPending} disabled={!form.isDirty()}>
          Save
        </Button>
      </Group>
    </form>
  )
}
