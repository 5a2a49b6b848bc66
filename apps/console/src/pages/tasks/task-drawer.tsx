import { Group, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Task } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-message'
import { useChange } from '../../data/use-change'
import { AgentSelect } from '../../parts/agent-select'
import { DeleteButton } from '../../parts/delete-button'
import { FormDrawer } from '../../parts/form-drawer'
import { CallFields } from './call-fields'
import { calledOtherwise, changedOf, inputOf, type TaskForm, validateCall, valuesOf } from './task-draft'
import { priorityLabels, statusLabels } from './task-labels'
import { TaskRun } from './task-run'

interface TaskDrawerProps {
  /** Null for a new task. */
  readonly task: Task | null
  readonly onClose: () => void
}

export function TaskDrawer({ task, onClose }: TaskDrawerProps) {
  const { parley, may } = useConsole()
  const otherNumber = calledOtherwise(task)
  const form = useForm({
    initialValues: valuesOf(task),
    validate: (values) => validateCall(values, otherNumber),
  })
  const save = useChange({
    change: async (values: TaskForm) =>
      task === null
        ? parley.tasks.create(inputOf(values))
        : parley.tasks.patch(task.id, changedOf(inputOf(values), inputOf(valuesOf(task)))),
    changes: ['Task'],
    done: task === null ? 'Task created.' : 'Task saved.',
    isErrorShown: true,
    onDone: onClose,
  })
  const remove = useChange({
    change: async (id: string) => parley.tasks.delete(id),
    changes: ['Task'],
    done: 'Task deleted.',
    onDone: onClose,
  })
  const errors = fieldErrorsOf(save.error)
  const isReadOnly = !may('task:write')
  const field = (name: keyof TaskForm) => ({
    ...form.getInputProps(name),
    error: form.errors[name] ?? errors[name],
    readOnly: isReadOnly,
  })
  return (
    <FormDrawer
      title={task === null ? 'New task' : 'Task'}
      action={task === null ? 'Create task' : 'Save changes'}
      isOpen
      isReadOnly={isReadOnly}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      isBusy={save.isPending}
      isDirty={form.isDirty()}
      error={save.error}
    >
      {task !== null && <TaskRun task={task} isGoing={remove.isPending || remove.isSuccess} />}
      <TextInput label="Title" required data-autofocus {...field('title')} />
      <Textarea label="Description" autosize minRows={3} maxRows={12} {...field('description')} />
      <Group grow align="start">
        <Select
          label="Status"
          allowDeselect={false}
          data={Object.entries(statusLabels).map(([value, { label }]) => ({ value, label }))}
          {...field('status')}
        />
        <Select
          label="Priority"
          allowDeselect={false}
          data={Object.entries(priorityLabels).map(([value, label]) => ({ value, label }))}
          {...field('priority')}
        />
      </Group>
      <AgentSelect
        label="Agent"
        placeholder="No agent"
        value={form.values.agentId}
        onChange={(agentId) => form.setFieldValue('agentId', agentId)}
        readOnly={isReadOnly}
      />
      <CallFields field={field} values={form.values} otherNumber={otherNumber} />
      <TextInput label="Due" type="datetime-local" {...field('dueAt')} />
      <TextInput
        label="Run at"
        type="datetime-local"
        description="When the agent starts the task."
        {...field('runAt')}
      />
      <Group grow align="start">
        <TextInput
          label="Schedule"
          placeholder="0 9 * * MON-FRI"
          description="Cron expression with five fields, for recurring runs."
          {...field('schedule')}
        />
        <TextInput
          label="Time zone"
          description="For the schedule, such as Europe/Berlin."
          {...field('timeZone')}
        />
      </Group>
      <TextInput label="External ID" description="ID in another system." {...field('externalId')} />
      <Textarea label="Result" autosize minRows={2} maxRows={12} {...field('result')} />
      {task !== null && !isReadOnly && (
        <DeleteButton
          action="Delete task"
          question="Delete task?"
          onDelete={() => remove.mutateAsync(task.id)}
        >
          {task.title}
        </DeleteButton>
      )}
    </FormDrawer>
  )
}
