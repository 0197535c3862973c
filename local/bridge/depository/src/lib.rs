//! A stand-in for Relay's depository on the local Solana chain: the two deposits of the real program, with its names, layouts and addresses.
//! It has no way out: the local Relay pays from an account of its own.
#![no_std]

type Key = [u8; 32];

const MOST_ACCOUNTS: usize = 16;
/// Bytes that the loader leaves behind an account's data for its growth.
const GROWTH: usize = 10_240;
/// The loader's heap, which nothing else uses.
const HEAP: u64 = 0x3_0000_0000;

const SYSTEM: Key = [0; 32];
/// TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA
const TOKEN: Key = [
    6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133, 237, 95, 91, 55, 145, 58, 140,
    245, 133, 126, 255, 0, 169,
];
/// ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL
const ASSOCIATED_TOKEN: Key = [
    140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131, 11, 90, 19, 153, 218, 255, 16, 132, 4, 142, 123,
    216, 219, 233, 248, 89,
];

/// The first 8 bytes of sha256("global:deposit_native") and sha256("global:deposit_token").
const DEPOSIT_NATIVE: [u8; 8] = [13, 158, 13, 223, 95, 213, 28, 6];
const DEPOSIT_TOKEN: [u8; 8] = [11, 156, 96, 218, 39, 163, 180, 19];
/// Name, amount and id.
const DATA_LENGTH: usize = 48;

const WRONG: u64 = 0x1_0000;

/// An account as the loader lists it and as calls take it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Account {
    key: *const Key,
    lamports: *mut u64,
    length: u64,
    data: *mut u8,
    owner: *const Key,
    rent_epoch: u64,
    is_signer: bool,
    is_writable: bool,
    is_executable: bool,
}

impl Account {
    fn is(&self, key: &Key) -> bool {
        unsafe { *self.key == *key }
    }
}

#[repr(C)]
struct Meta {
    key: *const Key,
    is_writable: bool,
    is_signer: bool,
}

#[repr(C)]
struct Instruction {
    program: *const Key,
    metas: *const Meta,
    metas_count: u64,
    data: *const u8,
    data_length: u64,
}

#[repr(C)]
struct Seed {
    start: *const u8,
    length: u64,
}

extern "C" {
    fn abort() -> !;
    fn sol_try_find_program_address(
        seeds: *const Seed,
        count: u64,
        program: *const Key,
        address: *mut u8,
        bump: *mut u8,
    ) -> u64;
    fn sol_invoke_signed_c(
        instruction: *const Instruction,
        accounts: *const Account,
        count: u64,
        signers: *const u8,
        signers_count: u64,
    ) -> u64;
}

struct Input {
    accounts: [Account; MOST_ACCOUNTS],
    count: usize,
    data: &'static [u8],
    program: *const Key,
}

impl Input {
    fn all(&self) -> &[Account] {
        self.accounts.get(..self.count).unwrap_or(&[])
    }
}

/// # Safety
/// Called by the loader alone.
#[no_mangle]
pub unsafe extern "C" fn entrypoint(input: *mut u8) -> u64 {
    match read(input).and_then(deposit) {
        Ok(()) => 0,
        Err(code) => code,
    }
}

#[inline(never)]
unsafe fn read(mut at: *mut u8) -> Result<&'static Input, u64> {
    let found = &mut *(HEAP as *mut Input);
    let count = *(at as *const u64) as usize;
    if count > MOST_ACCOUNTS {
        return Err(WRONG);
    }
    at = at.add(8);
    let mut index = 0;
    while index < count {
        let duplicate = *at;
        let account = if duplicate == 0xff {
            let length = *(at.add(80) as *const u64);
            let data = at.add(88);
            let end = (data.add(length as usize + GROWTH) as u64 + 7) & !7;
            let account = Account {
                key: at.add(8) as *const Key,
                lamports: at.add(72) as *mut u64,
                length,
                data,
                owner: at.add(40) as *const Key,
                rent_epoch: *(end as *const u64),
                is_signer: *at.add(1) != 0,
                is_writable: *at.add(2) != 0,
                is_executable: *at.add(3) != 0,
            };
            at = (end + 8) as *mut u8;
            account
        } else {
            at = at.add(8);
            match found.accounts.get(duplicate as usize) {
                Some(account) if (duplicate as usize) < index => *account,
                _ => return Err(WRONG),
            }
        };
        if let Some(place) = found.accounts.get_mut(index) {
            core::ptr::write(place, account);
        }
        index += 1;
    }
    found.count = count;
    let length = *(at as *const u64) as usize;
    at = at.add(8);
    found.data = core::slice::from_raw_parts(at, length);
    found.program = at.add(length) as *const Key;
    Ok(found)
}

/// What the deposit is for is told by its id alone, which nothing here reads.
fn deposit(input: &'static Input) -> Result<(), u64> {
    if input.data.len() != DATA_LENGTH {
        return Err(WRONG + 1);
    }
    let name = input.data.get(..8).ok_or(WRONG)?;
    let amount = input.data.get(8..16).ok_or(WRONG)?;
    if name == DEPOSIT_NATIVE {
        deposit_native(input, amount)
    } else if name == DEPOSIT_TOKEN {
        deposit_token(input, amount)
    } else {
        Err(WRONG + 2)
    }
}

fn deposit_native(input: &Input, amount: &[u8]) -> Result<(), u64> {
    let [depository, sender, _depositor, vault, system] = input.all() else {
        return Err(WRONG + 3);
    };
    require_own(input, b"relay_depository", depository)?;
    require_own(input, b"vault", vault)?;
    require(sender.is_signer && system.is(&SYSTEM))?;
    let mut data = [0; 12];
    data[0] = 2;
    data[4..].copy_from_slice(amount);
    let metas = [meta(sender, true, true), meta(vault, true, false)];
    invoke(input, &instruction(&SYSTEM, &metas, &data))
}

fn deposit_token(input: &Input, amount: &[u8]) -> Result<(), u64> {
    let [depository, sender, _depositor, vault, mint, from, to, token, associated, system] = input.all() else {
        return Err(WRONG + 3);
    };
    require_own(input, b"relay_depository", depository)?;
    require_own(input, b"vault", vault)?;
    require(sender.is_signer && token.is(&TOKEN) && associated.is(&ASSOCIATED_TOKEN) && system.is(&SYSTEM))?;
    // Creates the vault's account unless it is there, and fails for any other.
    let metas = [
        meta(sender, true, true),
        meta(to, true, false),
        meta(vault, false, false),
        meta(mint, false, false),
        meta(system, false, false),
        meta(token, false, false),
    ];
    invoke(input, &instruction(&ASSOCIATED_TOKEN, &metas, &[1]))?;
    let decimals = if mint.length > 44 { unsafe { *mint.data.add(44) } } else { return Err(WRONG + 4) };
    let mut data = [0; 10];
    data[0] = 12;
    data[1..9].copy_from_slice(amount);
    data[9] = decimals;
    let metas =
        [meta(from, true, false), meta(mint, false, false), meta(to, true, false), meta(sender, false, true)];
    invoke(input, &instruction(&TOKEN, &metas, &data))
}

fn require(holds: bool) -> Result<(), u64> {
    if holds { Ok(()) } else { Err(WRONG + 5) }
}

#[inline(never)]
fn require_own(input: &Input, seed: &[u8], account: &Account) -> Result<(), u64> {
    let (mut address, mut bump) = (SYSTEM, 0);
    let seeds = [Seed { start: seed.as_ptr(), length: seed.len() as u64 }];
    let failed =
        unsafe { sol_try_find_program_address(seeds.as_ptr(), 1, input.program, address.as_mut_ptr(), &mut bump) };
    require(failed == 0 && account.is(&address))
}

fn meta(account: &Account, is_writable: bool, is_signer: bool) -> Meta {
    Meta { key: account.key, is_writable, is_signer }
}

fn instruction(program: &Key, metas: &[Meta], data: &[u8]) -> Instruction {
    Instruction {
        program,
        metas: metas.as_ptr(),
        metas_count: metas.len() as u64,
        data: data.as_ptr(),
        data_length: data.len() as u64,
    }
}

#[inline(never)]
fn invoke(input: &Input, instruction: &Instruction) -> Result<(), u64> {
    let all = input.all();
    let failed = unsafe { sol_invoke_signed_c(instruction, all.as_ptr(), all.len() as u64, core::ptr::null(), 0) };
    if failed == 0 { Ok(()) } else { Err(failed) }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { abort() }
}
