import { Anchor, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { HeaderField } from './header-field'
import { ParameterField } from './parameter-field'
import { withParameter } from './parameter-rows'
import { QueryField } from './query-field'
import { type HttpDraft, keepsSecrets } from './tool-draft'
import { errorBelow, looseArgument } from './tool-errors'
import type { ToolFormProps } from './tool-form-props'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The request of an HTTP tool, and its parameters. */
export function HttpFields({ tool, saved, errors, isReadOnly, onChange }: ToolFormProps<HttpDraft>) {
  const { request } = tool
  // The parameters are edited as rows of their own, which a new key reads again.
  const [addedCount, setAddedCount] = useState(0)
  const set = (fields: Partial<HttpDraft['request']>) =>
    onChange({ ...tool, request: { ...request, ...fields } })
  const sendsBody = request.method !== 'GET' && request.method !== 'DELETE'
  return (
    <Stack>
      <div>
        <Group align="start" wrap="nowrap" gap="xs">
          <Select
            label="Method"
            data={methods}
            w="7rem"
            value={request.method}
            onChange={(value) => {
              const method = methods.find((each) => each === value)
              if (method !== undefined) set({ method })
            }}
            allowDeselect={false}
            readOnly={isReadOnly}
          />
          <TextInput
            label="URL"
            placeholder="https://booking.example.com/bookings/{number}"
            required
            flex={1}
            value={request.url}
            onChange={({ currentTarget }) => set({ url: currentTarget.value })}
            error={
              errors['request.url'] && (
                <UrlError
                  message={errors['request.url']}
                  argument={isReadOnly ? undefined : looseArgument(tool)}
                  onAdd={(name) => {
                    onChange({ ...tool, parameters: withParameter(tool.parameters, name) })
                    setAddedCount(addedCount + 1)
                  }}
                />
              )
            }
            readOnly={isReadOnly}
          />
        </Group>
        <Text size="xs" c="dimmed" mt={4}>
          {'{name}'} inserts an argument of the model into a path segment or a query value, {'{{name}}'} a
          variable of the agent.{' '}
          {sendsBody ? describeBody(request.body) : 'Other arguments go into the query.'}
        </Text>
      </div>
      <ParameterField
        key={addedCount}
        parameters={tool.parameters}
        isReadOnly={isReadOnly}
        error={errorBelow(errors, 'parameters')}
        onChange={(parameters) => onChange({ ...tool, parameters })}
      />
      <QueryField
        query={request.query}
        error={errorBelow(errors, 'request.query')}
        isReadOnly={isReadOnly}
        onChange={(query) => set({ query })}
      />
      <HeaderField
        storedNames={request.headerNames}
        changes={request.headers ?? {}}
        isKept={keepsSecrets(tool, saved)}
        isReadOnly={isReadOnly}
        error={errorBelow(errors, 'request.headers')}
        onChange={(headers) => set({ headers })}
      />
    </Stack>
  )
}

interface UrlErrorProps {
  readonly message: string
  /** An argument of the URL that is not a parameter yet. */
  readonly argument: string | undefined
  readonly onAdd: (name: string) => void
}

function UrlError({ message, argument, onAdd }: UrlErrorProps) {
  if (argument === undefined || !message.includes(`{${argument}}`)) return message
  return (
    <>
      {message}{' '}
      <Anchor component="button" type="button" inherit underline="always" onClick={() => onAdd(argument)}>
        Add parameter {argument}
      </Anchor>
    </>
  )
}

function describeBody(body: unknown): string {
  return body === null || body === undefined
    ? 'Other arguments are sent as a JSON body. Define your own body in the JSON view.'
    : 'The body is defined in the JSON view.'
}
