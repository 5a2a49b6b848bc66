import { Select, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useConsole } from '../../data/console-context'
import { CallingNumberSelect } from '../phone/calling-number-select'
import { useCallingNumbers } from '../phone/use-calling-numbers'
import type { TaskForm } from './task-draft'
import { channelLabels } from './task-labels'

interface CallFieldsProps {
  readonly field: (name: 'channel' | 'to' | 'from') => GetInputPropsReturnType
  readonly values: Pick<TaskForm, 'channel' | 'from'>
  /** The number that is called if `to` is empty, or null if there is none. */
  readonly otherNumber: string | null
}

/** The channel of a task, and the numbers of its call. Without a number to call from, tasks are done in text. */
export function CallFields({ field, values, otherNumber }: CallFieldsProps) {
  const isCall = values.channel === 'telephone'
  const { may } = useConsole()
  const numbers = useCallingNumbers()
  if (!isCall && (!may('call:make') || numbers.length === 0)) return null
  return (
    <>
      <Select
        label="Channel"
        description="How the agent works on the task."
        allowDeselect={false}
        data={Object.entries(channelLabels).map(([value, label]) => ({ value, label }))}
        {...field('channel')}
      />
      {isCall && (
        <>
          <TextInput
            label="To"
            description="In international format."
            placeholder={otherNumber ?? '+4930654321'}
            required={otherNumber === null}
            type="tel"
            autoComplete="off"
            {...field('to')}
          />
          <CallingNumberSelect
            required
            placeholder="The number to call from"
            {...field('from')}
            value={values.from}
          />
        </>
      )}
    </>
  )
}
