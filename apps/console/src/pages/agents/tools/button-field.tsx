import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import type { ToolFormProps } from './tool-form-props'

/** How clients display a call: an icon, and a button for the result. */
export function ButtonField({ tool, errors, isReadOnly, onChange }: ToolFormProps) {
  const { button } = tool
  return (
    <>
      <TextInput
        label="Image URL"
        description="Clients can show it next to the call."
        placeholder="https://"
        value={tool.imageUrl ?? ''}
        onChange={({ currentTarget }) => onChange({ ...tool, imageUrl: currentTarget.value || null })}
        error={errors.imageUrl}
        readOnly={isReadOnly}
      />
      <Checkbox
        label="Show a button with the result"
        checked={button !== null}
        onChange={({ currentTarget }) =>
          onChange({ ...tool, button: currentTarget.checked ? { label: '', link: '' } : null })
        }
        disabled={isReadOnly}
      />
      {button !== null && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Button label"
            value={button.label}
            onChange={({ currentTarget }) =>
              onChange({ ...tool, button: { ...button, label: currentTarget.value } })
            }
            error={errors['button.label']}
            readOnly={isReadOnly}
          />
          <TextInput
            label="Button link"
            placeholder="https://"
            value={button.link}
            onChange={({ currentTarget }) =>
              onChange({ ...tool, button: { ...button, link: currentTarget.value } })
            }
            error={errors['button.link']}
            readOnly={isReadOnly}
          />
        </SimpleGrid>
      )}
    </>
  )
}
