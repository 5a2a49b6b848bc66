import { Autocomplete, Button, Text } from '@mantine/core'
import type { PhoneCall } from '@parley/sdk'
import { IconPhoneOutgoing } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { isNumber, numberAdvice, plainNumber } from '../../data/telephone-number'
import { usePhoneConnectionDirectory, usePhoneNumberDirectory } from '../../data/use-directory'
import { useDraftForm } from '../../data/use-draft-form'
import { FormDrawer } from '../../parts/form-drawer'
import { phoneConnectionKinds } from '../phone/phone-connection-kinds'

/** Connects the other party of an active call with another number. Not every kind of phone connection can. */
export function TransferCall({ call }: { readonly call: PhoneCall }) {
  const { may } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const connections = usePhoneConnectionDirectory().data ?? []
  const kind = connections.find(({ id }) => id === call.phoneConnectionId)?.kind
  if (!may('call:make') || (kind !== undefined && !phoneConnectionKinds[kind].isDialing)) return null
  return (
    <>
      <Button variant="default" leftSection={<IconPhoneOutgoing size={16} />} onClick={() => setOpen(true)}>
        Transfer
      </Button>
      {isOpen && <TransferDrawer call={call} onClose={() => setOpen(false)} />}
    </>
  )
}

interface TransferDrawerProps {
  readonly call: PhoneCall
  readonly onClose: () => void
}

function TransferDrawer({ call: { id, phoneNumberId }, onClose }: TransferDrawerProps) {
  const { parley } = useConsole()
  const numbers = usePhoneNumberDirectory().data ?? []
  const targets = new Map(
    numbers
      .find((each) => each.id === phoneNumberId)
      ?.transferTargets.map(({ name, number }) => [number, name]),
  )
  const { fields, drawer } = useDraftForm({
    start: { to: '' },
    errorsIn: ({ to }): Readonly<Record<string, string>> => (isNumber(to) ? {} : { to: numberAdvice }),
    save: async ({ to }) => parley.phoneCalls.transfer(id, { to: plainNumber(to) }),
    resource: 'PhoneCall',
    done: ({ to }) => `Transferred to ${plainNumber(to)}.`,
    onDone: onClose,
  })
  return (
    <FormDrawer {...drawer} title="Transfer call" action="Transfer call" onClose={onClose}>
      <Text size="sm">The other party is connected with this number. The agent leaves the call.</Text>
      <Autocomplete
        label="Number"
        description="In international format. The phone connection must allow calls to it."
        placeholder="+4930654321"
        required
        data-autofocus
        data={[...targets.keys()]}
        renderOption={({ option: { value } }) => (
          <Text size="sm">
            {targets.get(value)} ({value})
          </Text>
        )}
        value={fields.draft.to}
        onChange={(to) => fields.onChange({ to })}
        error={fields.errors.to}
      />
    </FormDrawer>
  )
}
