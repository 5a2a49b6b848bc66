import { TagsInput } from '@mantine/core'
import { useState } from 'react'
import { conditionsOf, filterOf, type MetadataFilter } from '../data/use-metadata-filter'

interface MetadataFilterFieldProps {
  readonly value: MetadataFilter
  readonly onChange: (filter: MetadataFilter) => void
}

/** Up to five conditions such as `plan=pro`. */
export function MetadataFilterField({ value, onChange }: MetadataFilterFieldProps) {
  const [isWrong, setWrong] = useState(false)
  const conditions = conditionsOf(value)
  return (
    <TagsInput
      aria-label="Metadata"
      placeholder={conditions.length === 0 ? 'Metadata: plan=pro' : ''}
      error={isWrong && 'Write a key and a value: plan=pro'}
      value={conditions}
      onChange={(next) => {
        const filter = filterOf(next)
        setWrong(filter === null)
        if (filter !== null) onChange(filter)
      }}
      maxTags={5}
      maxLength={300}
      splitChars={[]}
      clearable
    />
  )
}
