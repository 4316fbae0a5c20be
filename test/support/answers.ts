/**
 * Watches what servers under test answer, however it was asked for: judges it by the contract, and keeps what of the
 * contract it showed for the table at the end of the run (`scripts/drift.ts`).
 */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { join } from 'node:path'
import { judge, type Exchange, type Fact, type Fault } from './contract.ts'

/** What a test process leaves in the folder that `ANSWERS_FOLDER` names. */
export interface AnswerRecord {
  readonly answers: number
  readonly facts: readonly Fact[]
  readonly faults: readonly Fault[]
}

/** The answers of one server, or to one client. */
export class Answers {
  #count = 0
  readonly #facts = new Map<string, Fact>()
  readonly #faults = new Map<string, Fault>()

  /** Judges and keeps an answer. */
  note(exchange: Exchange): void {
    this.#count += 1
    const { facts, faults } = judge(exchange)
    for (const fact of facts) this.#facts.set(Object.values(fact).join(' '), fact)
    for (const fault of faults) this.#faults.set(fault.text, fault)
  }

  /** Notes every answer of a server, also those to what is not even a request. */
  watch(server: Server): void {
    const latest = new WeakMap<Duplex, IncomingMessage>()
    const packets = new WeakMap<Duplex, Buffer>()
    const serve = (req: IncomingMessage, res: ServerResponse): void => {
      latest.set(req.socket, req)
      onEnd(res, (body) => {
        const { method = '', url: target = '' } = req
        this.note({ method, target, status: res.statusCode, headers: res.getHeaders(), body })
      })
    }
    server.prependListener('request', serve)
    server.prependListener('checkExpectation', serve)
    server.prependListener('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
      if (error.rawPacket !== undefined) packets.set(socket, error.rawPacket)
    })
    server.on('connection', (socket) => {
      onRefusal(socket, (text) => {
        this.note({ ...requestLine(latest.get(socket), packets.get(socket)), ...answerOf(text) })
      })
    })
  }

  /** Leaves the record where the run collects them, if it does. Throws for what the contract does not declare. */
  close(): void {
    const record: AnswerRecord = {
      answers: this.#count,
      facts: [...this.#facts.values()],
      faults: [...this.#faults.values()],
    }
    const folder = process.env['ANSWERS_FOLDER']
    if (folder !== undefined) writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(record))
    if (record.faults.length > 0) {
      throw new Error(`not in the contract:\n${record.faults.map(({ text }) => text).join('\n')}`)
    }
  }
}

/** Calls `tell` with the whole body when an answer is complete, before its end is on the way to the client. */
function onEnd(res: ServerResponse, tell: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string))
  }
  const write = res.write.bind(res) as (...args: unknown[]) => boolean
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse
  Object.assign(res, {
    write: (...args: unknown[]) => {
      keep(args[0])
      return write(...args)
    },
    end: (...args: unknown[]) => {
      keep(args[0])
      tell(Buffer.concat(chunks))
      return end(...args)
    },
  })
}

/** Calls `tell` with an answer that is written to the connection itself, past Node's own answers. */
function onRefusal(socket: Duplex, tell: (text: string) => void): void {
  const end = socket.end.bind(socket) as (...args: unknown[]) => Duplex
  Object.assign(socket, {
    end: (...args: unknown[]) => {
      if (typeof args[0] === 'string') tell(args[0])
      return end(...args)
    },
  })
}

/** What was refused: the request whose body was coming, or what the parser stumbled over, as far as it can be read. */
function requestLine(latest: IncomingMessage | undefined, packet: Buffer | undefined) {
  if (latest?.complete === false) return { method: latest.method ?? '', target: latest.url ?? '' }
  const line = latest === undefined ? packet?.toString('latin1').split('\r\n')[0] : undefined
  const [, method = 'what', target = 'is no request'] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(line ?? '') ?? []
  return { method, target }
}

function answerOf(text: string): Pick<Exchange, 'status' | 'headers' | 'body'> {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers) as Exchange['headers'],
    body: Buffer.from(body),
  }
}
