// Greetings for a new group: the bot can pay a username only after it has read a message by it.
import type { Person } from './localApi.ts';

const LINES = [
  'Hi all!',
  'Hello! Whose round is it today?',
  'Mine was the last one.',
  'Good morning.',
  'Fresh bread is out.',
];

export function helloOf(people: Person[]): { person: Person; text: string }[] {
  return people.map((person, index) => ({ person, text: LINES[index % LINES.length] ?? 'Hello!' }));
}
