import { Button, Text, TextInput } from '@mantine/core'
import type { PhoneCall } from '@parley/sdk'
import { IconDialpad } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { textFieldOf } from '../../data/text-field-of'
import { useDraftForm } from '../../data/use-draft-form'
import { FormDrawer } from '../../parts/form-drawer'

/** Presses keys in an active call, for example in the menu of another telephone system. */
export function PressKeys({ call }: { readonly call: PhoneCall }) {
  const { may } = useConsole()
  const [isOpen, setOpen] = useState(false)
  if (!may('call:make')) return null
  return (
    <>
      <Button variant="default" leftSection={<IconDialpad size={16} />} onClick={() => setOpen(true)}>
        Press keys
      </Button>
      {isOpen && <KeysDrawer call={call} onClose={() => setOpen(false)} />}
    </>
  )
}

interface KeysDrawerProps {
  readonly call: PhoneCall
  readonly onClose: () => void
}

function KeysDrawer({ call: { id }, onClose }: KeysDrawerProps) {
  const { parley } = useConsole()
  const { fields, drawer } = useDraftForm({
    start: { digits: '' },
    errorsIn: ({ digits }): Readonly<Record<string, string>> =>
      /^[0-9*#A-D]{1,32}$/.test(plainKeys(digits)) ? {} : { digits: 'Must be 1 to 32 keys' },
    save: async ({ digits }) => parley.phoneCalls.sendDigits(id, { digits: plainKeys(digits) }),
    resource: 'PhoneCall',
    done: () => 'The keys are being pressed.',
    onDone: onClose,
  })
  return (
    <FormDrawer {...drawer} title="Press keys" action="Press keys" onClose={onClose}>
      <Text size="sm">The other party hears the keys, for example the menu of a telephone system.</Text>
      <TextInput
        label="Keys"
        description="The keys 0 to 9, *, # and A to D."
        placeholder="12#"
        required
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        {...textFieldOf(fields)('digits')}
      />
    </FormDrawer>
  )
}

const plainKeys = (text: string) => text.replaceAll(/\s/g, '').toUpperCase()
