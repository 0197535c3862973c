//! The system calls that the program uses.

use core::num::NonZeroU64;

use crate::errors::*;
use crate::runtime::accounts::Account;
use crate::runtime::Context;
use crate::state::{Key, ZERO};

#[repr(C)]
pub struct Meta<'a> {
    pub key: &'a Key,
    pub writable: bool,
    pub signer: bool,
}

#[repr(C)]
struct Instruction {
    program: *const Key,
    metas: *const Meta<'static>,
    metas_count: u64,
    data: *const u8,
    data_length: u64,
}

/// A seed of an address, as the machine reads a slice.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Seed<'a> {
    start: *const u8,
    length: u64,
    of: core::marker::PhantomData<&'a [u8]>,
}

impl<'a> Seed<'a> {
    pub fn new(bytes: &'a [u8]) -> Seed<'a> {
        Seed { start: bytes.as_ptr(), length: bytes.len() as u64, of: core::marker::PhantomData }
    }
}

#[repr(C)]
struct Signer {
    seeds: *const Seed<'static>,
    count: u64,
}

#[repr(C)]
#[derive(Default)]
struct Clock {
    slot: u64,
    epoch_started_at: i64,
    epoch: u64,
    leader_epoch: u64,
    unix_timestamp: i64,
}

#[repr(C)]
#[derive(Default)]
struct Rent {
    lamports_per_byte: u64,
    threshold: u64,
    burn_percent: u8,
}

/// The rent threshold as the bits of a float: rent is paid for so many years.
const ONE: u64 = 0x3ff0_0000_0000_0000;
const TWO: u64 = 0x4000_0000_0000_0000;
const ACCOUNT_OVERHEAD: u64 = 128;

extern "C" {
    fn abort() -> !;
    fn sol_memcpy_(to: *mut u8, from: *const u8, length: u64);
    fn sol_get_clock_sysvar(clock: *mut Clock) -> u64;
    fn sol_get_rent_sysvar(rent: *mut Rent) -> u64;
    fn sol_keccak256(parts: *const Seed, count: u64, hash: *mut u8) -> u64;
    fn sol_create_program_address(seeds: *const Seed, count: u64, program: *const Key, address: *mut u8) -> u64;
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
        signers: *const Signer,
        signers_count: u64,
    ) -> u64;
}

/// Copies as many bytes as both have.
pub fn copy(to: &mut [u8], from: &[u8]) {
    let length = to.len().min(from.len());
    unsafe { sol_memcpy_(to.as_mut_ptr(), from.as_ptr(), length as u64) }
}

pub fn stop() -> ! {
    unsafe { abort() }
}

/// Unix seconds.
pub fn now() -> u64 {
    let mut clock = Clock::default();
    unsafe { sol_get_clock_sysvar(&mut clock) };
    if clock.unix_timestamp < 0 { 0 } else { clock.unix_timestamp as u64 }
}

/// Lamports that keep an account of this size.
#[inline(never)]
pub fn rent(size: usize) -> Result<u64> {
    let mut rent = Rent::default();
    unsafe { sol_get_rent_sysvar(&mut rent) };
    let years = match rent.threshold {
        ONE => 1,
        TWO => 2,
        _ => return Err(UNSUPPORTED_RENT),
    };
    Ok((ACCOUNT_OVERHEAD + size as u64) * rent.lamports_per_byte * years)
}

#[inline(never)]
pub fn keccak(parts: &[Seed]) -> Key {
    let mut hash = ZERO;
    unsafe { sol_keccak256(parts.as_ptr(), parts.len() as u64, hash.as_mut_ptr()) };
    hash
}

/// The address of seeds that end with their bump.
#[inline(never)]
pub fn address(seeds: &[Seed], program: &Key) -> Option<Key> {
    let mut address = ZERO;
    let failed = unsafe { sol_create_program_address(seeds.as_ptr(), seeds.len() as u64, program, address.as_mut_ptr()) };
    if failed == 0 { Some(address) } else { None }
}

/// The canonical address of seeds, and its bump.
#[inline(never)]
pub fn find_address(seeds: &[Seed], program: &Key) -> Result<(Key, u8)> {
    let (mut address, mut bump) = (ZERO, 0);
    let failed = unsafe {
        sol_try_find_program_address(seeds.as_ptr(), seeds.len() as u64, program, address.as_mut_ptr(), &mut bump)
    };
    if failed == 0 { Ok((address, bump)) } else { Err(WRONG_ADDRESS) }
}

pub struct Call<'a> {
    pub program: &'a Key,
    pub metas: &'a [Meta<'a>],
    pub data: &'a [u8],
    /// Of the one address of this program that signs; empty for none.
    pub seeds: &'a [Seed<'a>],
}

/// Calls another program, or this one. An error of it ends the transaction.
#[inline(never)]
pub fn invoke(context: &Context, call: &Call) -> Result<()> {
    let instruction = Instruction {
        program: call.program,
        metas: call.metas.as_ptr() as *const Meta<'static>,
        metas_count: call.metas.len() as u64,
        data: call.data.as_ptr(),
        data_length: call.data.len() as u64,
    };
    let seeds = call.seeds;
    let signer = Signer { seeds: seeds.as_ptr() as *const Seed<'static>, count: seeds.len() as u64 };
    let accounts = context.all();
    let failed = unsafe {
        sol_invoke_signed_c(
            &instruction,
            accounts.as_ptr(),
            accounts.len() as u64,
            &signer,
            if seeds.is_empty() { 0 } else { 1 },
        )
    };
    match NonZeroU64::new(failed) {
        None => Ok(()),
        Some(failed) => Err(Error(failed)),
    }
}
