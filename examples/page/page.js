import { connect } from './parley/realtime.js'

const find = (id) => document.getElementById(id)
const make = (name, text) => Object.assign(document.createElement(name), { textContent: text })

const options = { ticket: '/session', workletUrl: './parley/audio.worklet.js' }

find('talk').onclick = async () => {
  const voice = await connect(options).catch(({ message }) => find('phase').append(message))
  if (!voice) return
  let shown = []
  voice.subscribe(({ phase, transcript, approvals }) => {
    find('phase').textContent = phase
    find('words').replaceChildren(...transcript.map(({ role, text }) => make('li', `${role}: ${text}`)))
    if (approvals === shown) return
    shown = approvals
    find('approvals').replaceChildren(
      ...approvals.map(({ call, mayDecide, approve }) =>
        mayDecide
          ? Object.assign(make('button', `Approve ${call?.title ?? 'tool call'}`), { onclick: approve })
          : make('p', `${call?.title ?? 'Tool call'}: waiting for approval`),
      ),
    )
  })
  find('type').onsubmit = (event) => {
    event.preventDefault()
    voice.sendText(new FormData(event.target).get('text'))
    event.target.reset()
  }
  find('phase').textContent = (await voice.ended).message
}
