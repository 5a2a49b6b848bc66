import workletUrl from '@parley/sdk/audio.worklet.js?url&no-inline'
import { ParleyProvider, useApprovals, useLevel, useTranscript, useVoice } from '@parley/sdk/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

function Controls() {
  const { phase, end, start, close } = useVoice()
  const isOver = phase === 'idle' || phase === 'ended'
  return (
    <p>
      <button type="button" onClick={isOver ? start : close}>
        {isOver ? 'Talk' : 'End'}
      </button>{' '}
      <output>{end?.message ?? phase}</output> <Loudness />
    </p>
  )
}

// Apart, since it is rendered 25 times a second.
function Loudness() {
  const { input, output } = useLevel()
  return <meter aria-label="Loudness" value={Math.max(input, output)} />
}

function Words() {
  return (
    <ul>
      {useTranscript().map(({ id, role, text, isInterrupted }) => (
        <li key={id}>
          {role}: {text}
          {isInterrupted && ' …'}
        </li>
      ))}
    </ul>
  )
}

function Approvals() {
  return useApprovals().map(({ callId, call, mayDecide, approve, reject }) => (
    <fieldset key={callId}>
      <legend>Approve “{call?.title}”?</legend>
      <code>{call?.argumentsText}</code>
      {mayDecide ? (
        <>
          <button type="button" onClick={approve}>
            Approve
          </button>
          <button type="button" onClick={() => reject()}>
            Reject
          </button>
        </>
      ) : (
        <p>Waiting for approval</p>
      )}
    </fieldset>
  ))
}

function Typing() {
  const { sendText } = useVoice()
  const send = (form) => sendText(form.get('text')).catch(({ message }) => alert(message))
  return (
    <form action={send}>
      <input name="text" autoComplete="off" aria-label="Type" />
    </form>
  )
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <ParleyProvider ticket="/session" workletUrl={workletUrl}>
      <Controls />
      <Words />
      <Approvals />
      <Typing />
    </ParleyProvider>
  </StrictMode>,
)
