// A small name server on 127.0.0.1 that really speaks DNS over UDP. A test says what it answers, per name, per type and per question.
import { createSocket, type RemoteInfo } from 'node:dgram';
import packet from 'dns-packet';

type Type = 'A' | 'AAAA';
/** Records of a name; what is left out is answered as empty, and a type may have no answer at all. `CNAME` leads to another name of this server, whose records come along, as from a resolver. */
type Records = { A?: string[] | 'silent'; AAAA?: string[] | 'silent'; CNAME?: string };
/** `silent` never answers; `nxdomain` says that there is no such name, `servfail` that it could not be looked up. */
export type DnsAnswer = Records | 'nxdomain' | 'servfail' | 'silent';
export type DnsServer = Awaited<ReturnType<typeof startDnsServer>>;

const RCODES = { nxdomain: 3, servfail: 2 };

export async function startDnsServer() {
  const answers = new Map<string, DnsAnswer[]>();
  const questions: { name: string; type: string }[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => reply(message, from));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));

  function reply(message: Buffer, from: RemoteInfo): void {
    const query = packet.decode(message);
    const [question] = query.questions ?? [];
    if (!question) return;
    const name = question.name.toLowerCase();
    const before = questions.filter((one) => one.name === name && one.type === question.type).length;
    questions.push({ name, type: question.type });
    const rounds = answers.get(name) ?? ['nxdomain'];
    const answer = rounds[Math.min(before, rounds.length - 1)] ?? 'nxdomain';
    if (answer === 'silent') return;
    if (typeof answer !== 'string' && answer[question.type as Type] === 'silent') return;
    const rcode = typeof answer === 'string' ? RCODES[answer] : 0;
    const response = packet.encode({
      type: 'response',
      id: query.id ?? 0,
      flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | rcode,
      questions: [question],
      answers: typeof answer === 'string' ? [] : recordsOf(question.name, question.type as Type, answer, before),
    });
    socket.send(response, from.port, from.address);
  }

  function recordsOf(name: string, type: Type, records: Records, round: number): packet.Answer[] {
    const own = [records[type] ?? []].flat().map((data): packet.Answer => ({ type, name, ttl: 0, data }));
    if (!records.CNAME) return own;
    const rounds = answers.get(records.CNAME.toLowerCase()) ?? [];
    const target = rounds[Math.min(round, rounds.length - 1)];
    const behind = target && typeof target !== 'string' ? recordsOf(records.CNAME, type, target, round) : [];
    return [{ type: 'CNAME', name, ttl: 0, data: records.CNAME }, ...own, ...behind];
  }

  return {
    /** For WEBHOOK_DNS_SERVERS. */
    address: `127.0.0.1:${socket.address().port}`,
    /** One answer for each question of a type, in turn; the last one stays. Names that were not set do not exist. */
    set(name: string, ...rounds: DnsAnswer[]): void {
      answers.set(name.toLowerCase(), rounds);
    },
    /** All queries, in order. */
    questions,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
