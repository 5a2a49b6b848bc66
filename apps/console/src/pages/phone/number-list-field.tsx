import { TagsInput } from '@mantine/core'
import { plainNumber } from '../../data/telephone-number'

interface NumberListFieldProps {
  readonly label: string
  readonly description: string
  readonly value: readonly string[]
  /** The API names the invalid entry. */
  readonly errors: Readonly<Record<string, string>>
  readonly name: string
  readonly isReadOnly: boolean
  readonly onChange: (value: string[]) => void
}

/** Beginnings of telephone numbers. */
export function NumberListField(props: NumberListFieldProps) {
  const { label, description, value, errors, name, isReadOnly, onChange } = props
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={value.length === 0 ? '+49' : ''}
      value={[...value]}
      onChange={(next) => onChange([...new Set(next.map(plainNumber))])}
      error={Object.entries(errors).find(([path]) => path.startsWith(name))?.[1]}
      readOnly={isReadOnly}
    />
  )
}
