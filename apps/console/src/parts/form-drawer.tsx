import { Button, Drawer, Group, Stack } from '@mantine/core'
import { type FormEventHandler, type ReactNode, useEffect, useState } from 'react'
import { CoverDrawer } from './covered'
import { ErrorNotice } from './error-notice'
import { focusFirstMistake } from './focus-first-mistake'
import { LeaveGuard, LeaveQuestion } from './leave-guard'

/** What the drawer of a form goes by while it is filled in. */
export interface FormDrawerState {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSubmit: FormEventHandler<HTMLFormElement>
  readonly isBusy: boolean
  /** Whether something was written that closing would lose. */
  readonly isDirty: boolean
  readonly error?: unknown
}

interface FormDrawerProps extends FormDrawerState {
  readonly title: string
  readonly action: string
  /** Whether there is only something to look at. */
  readonly isReadOnly?: boolean
  readonly children: ReactNode
}

/** A form at the side of a list. What was written in it is not lost by Escape, a click beside it or on its cross. */
export function FormDrawer(props: FormDrawerProps) {
  const { title, isOpen, onClose, onSubmit, action, isBusy, isDirty, error = null, children } = props
  const { isReadOnly = false } = props
  const [isAsking, setAsking] = useState(false)
  const [isCovered, setCovered] = useState(false)
  // Later: the question would hear the same press of Escape, take it for its own and be gone before it is seen.
  const ask = () => void setTimeout(() => setAsking(true))
  useReturnedFocus()
  return (
    <Drawer
      opened={isOpen}
      onClose={() => (isDirty ? ask() : onClose())}
      closeOnEscape={!isCovered}
      title={title}
      position="right"
      size="lg"
    >
      <CoverDrawer value={setCovered}>
        <form
          onSubmit={(event) => {
            onSubmit(event)
            focusFirstMistake(event.currentTarget)
          }}
        >
          <Stack>
            {children}
            {error !== null && <ErrorNotice error={error} />}
            <Group justify="end">
              <Button variant="default" onClick={onClose}>
                {isReadOnly ? 'Close' : 'Cancel'}
              </Button>
              {!isReadOnly && (
                <Button type="submit" loading={isBusy}>
                  {action}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
        <LeaveQuestion
          isOpen={isAsking}
          onLeave={() => {
            setAsking(false)
            onClose()
          }}
          onStay={() => setAsking(false)}
        />
        <LeaveGuard isDirty={isOpen && isDirty} />
      </CoverDrawer>
    </Drawer>
  )
}

/** A drawer that is taken away whole, rather than closed, gives the focus back too: to the row that it was opened from. */
function useReturnedFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus()
      })
    },
    [opener],
  )
}
