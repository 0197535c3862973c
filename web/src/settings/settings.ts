// What a person chose for their handle, as the API tells it.
import type { Language } from '../../../src/domain/language.ts';

export type Settings = { language: Language | null; notices: boolean };

export const SETTINGS_KEY = ['settings'];
