import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './search-field.module.css'

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** Searches after a pause in typing. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const search = useDebouncedCallback(onSearch, 250)
  const change = (next: string) => {
    setText(next)
    search(next)
  }
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      leftSection={<IconSearch size={16} />}
      rightSection={
        text === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={() => change('')} />
      }
      className={styles.field}
      maxLength={200}
    />
  )
}
