import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { Agent } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useConsole } from '../../data/console-context'
import { missingVariables } from '../../data/template-variables'
import { useCover } from '../../parts/covered'
import { focusFirstError } from '../../parts/focus-first-error'
import type { CallerContextState } from './use-caller-context'

interface CallerContextDialogProps {
  readonly agent: Agent
  /** Null for a new conversation. */
  readonly conversationId: string | null
  readonly caller: CallerContextState
}

/** Asks for the end user and the values of the agent's variables, as a backend would send them. */
export function CallerContextDialog({ agent, conversationId, caller }: CallerContextDialogProps) {
  const owner = useOwner(conversationId)
  const [externalUserId, setExternalUserId] = useState(caller.context.externalUserId)
  const [values, setValues] = useState(caller.context.variables)
  const [wasTried, setTried] = useState(false)
  const missing = conversationId === null ? missingVariables(agent.variables, values) : []
  useCover(true)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    focusFirstError(event.currentTarget)
    if (missing.length > 0) return
    const given = Object.entries(values).filter(([, value]) => value !== '')
    caller.save({ externalUserId: owner ?? externalUserId.trim(), variables: Object.fromEntries(given) })
  }
  return (
    <Modal opened onClose={caller.close} title="End user and variables">
      <form onSubmit={submit} noValidate>
        <Stack>
          {caller.isAsking && <Text size="sm">This agent needs values before the conversation starts.</Text>}
          <TextInput
            label="External user ID"
            description={
              owner === null
                ? 'Optional. Your own ID of the end user.'
                : 'The conversation belongs to this end user.'
            }
            maxLength={200}
            value={owner ?? externalUserId}
            readOnly={owner !== null}
            onChange={({ currentTarget }) => setExternalUserId(currentTarget.value)}
          />
          {agent.variables.map((variable) => (
            <TextInput
              key={variable.name}
              label={variable.name}
              description={variable.description}
              placeholder={variable.default ?? ''}
              required={variable.required && variable.default === null}
              maxLength={4096}
              value={values[variable.name] ?? ''}
              error={wasTried && missing.includes(variable) && `${variable.name} is required`}
              onChange={({ currentTarget }) => setValues({ ...values, [variable.name]: currentTarget.value })}
            />
          ))}
          <Text size="xs" c="dimmed">
            Kept in this browser tab. {conversationId !== null && 'Changes apply from the next message on.'}
          </Text>
          <Group justify="end">
            <Button variant="default" onClick={caller.close}>
              Cancel
            </Button>
            <Button type="submit">{caller.isAsking ? 'Continue' : 'Save'}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Returns the external ID of the end user of an existing conversation, or null. */
function useOwner(conversationId: string | null): string | null {
  const { parley, may } = useConsole()
  const { data } = useQuery({
    queryKey: ['Conversation', conversationId],
    queryFn: async () => parley.conversations.get(conversationId ?? ''),
    enabled: conversationId !== null && may('conversation:read'),
  })
  return data?.externalUserId ?? null
}
