import { Select, type SelectProps } from '@mantine/core'
import { useCallingNumbers } from './use-calling-numbers'

interface CallingNumberSelectProps
  extends Pick<SelectProps, 'description' | 'placeholder' | 'required' | 'error' | 'readOnly'> {
  readonly value: string | null
  readonly onChange: (number: string | null) => void
}

/** The number that a call is made from. A stored number stays selectable if it cannot make calls anymore. */
export function CallingNumberSelect({ value, ...rest }: CallingNumberSelectProps) {
  const numbers = useCallingNumbers()
  const options = numbers.map(({ number, name }) => ({ value: number, label: `${name} (${number})` }))
  const isKnown = value === null || numbers.some(({ number }) => number === value)
  return (
    <Select
      label="From"
      {...rest}
      data={isKnown ? options : [...options, value]}
      value={value}
      allowDeselect={false}
      searchable
      nothingFoundMessage="No phone numbers found"
    />
  )
}
