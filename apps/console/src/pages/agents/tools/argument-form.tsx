import { JsonInput, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { isSchema, textOf } from './parameter-rows'

interface ArgumentFormProps {
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly unknown[]
  readonly given: Readonly<Record<string, unknown>>
  readonly onChange: (given: Readonly<Record<string, unknown>>) => void
}

/** A form generated from a tool's parameters. Empty fields are not sent. */
export function ArgumentForm({ properties, required, given, onChange }: ArgumentFormProps) {
  const entries = Object.entries(properties)
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No arguments.
      </Text>
    )
  return (
    <Stack gap="sm">
      {entries.map(([name, schema]) => (
        <Argument
          key={name}
          name={name}
          schema={isSchema(schema) ? schema : {}}
          isRequired={required.includes(name)}
          value={given[name]}
          onChange={(value) => {
            const { [name]: _, ...others } = given
            onChange(value === undefined ? others : { ...others, [name]: value })
          }}
        />
      ))}
    </Stack>
  )
}

interface ArgumentProps {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly isRequired: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function Argument({ name, schema, isRequired, value, onChange }: ArgumentProps) {
  const about = textOf(schema.description)
  const field = { label: name, withAsterisk: isRequired, ...(about !== '' && { description: about }) }
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((each) => typeof each === 'string') : []
  if (choices.length > 0)
    return (
      <Select
        {...field}
        data={choices}
        clearable
        value={textOf(value) || null}
        onChange={(text) => onChange(text ?? undefined)}
      />
    )
  switch (schema.type) {
    case 'number':
    case 'integer':
      return (
        <NumberInput
          {...field}
          allowDecimal={schema.type === 'number'}
          value={typeof value === 'number' ? value : ''}
          onChange={(number) => onChange(typeof number === 'number' ? number : undefined)}
        />
      )
    case 'boolean':
      return (
        <Select
          {...field}
          data={['true', 'false']}
          clearable
          value={typeof value === 'boolean' ? String(value) : null}
          onChange={(text) => onChange(text === null ? undefined : text === 'true')}
        />
      )
    case 'array':
    case 'object':
      return <JsonArgument field={field} value={value} onChange={onChange} />
    default:
      return (
        <TextInput
          {...field}
          value={textOf(value)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : currentTarget.value)
          }
        />
      )
  }
}

interface JsonArgumentProps extends Pick<ArgumentProps, 'value' | 'onChange'> {
  readonly field: { readonly label: string; readonly description?: string }
}

/** Objects and arrays are written as JSON. */
function JsonArgument({ field, value, onChange }: JsonArgumentProps) {
  return (
    <JsonInput
      {...field}
      autosize
      minRows={2}
      validationError="Invalid JSON"
      defaultValue={value === undefined ? '' : JSON.stringify(value, null, 2)}
      onChange={(text) => {
        try {
          onChange(text.trim() === '' ? undefined : JSON.parse(text))
        } catch {
          // Invalid while typing. The field shows the error.
        }
      }}
    />
  )
}
